package dev.headstone.dynamodb.schema;

/** Which images of an item the records of a stream hold beside its key. */
public enum StreamViewType {
    /** None. */
    KEYS_ONLY(false, false),
    /** The item after the change. */
    NEW_IMAGE(true, false),
    /** The item before the change. */
    OLD_IMAGE(false, true),
    /** Both. */
    NEW_AND_OLD_IMAGES(true, true);

    private final boolean newImage;
    private final boolean oldImage;

    StreamViewType(boolean newImage, boolean oldImage) {
        this.newImage = newImage;
        this.oldImage = oldImage;
    }

    /** Whether records hold the item after the change. */
    public boolean hasNewImage() {
        return newImage;
    }

    /** Whether records hold the item before the change. */
    public boolean hasOldImage() {
        return oldImage;
    }
}

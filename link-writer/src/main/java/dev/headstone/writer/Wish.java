package dev.headstone.writer;

import dev.headstone.writer.ChangeRequest.Alter;
import dev.headstone.writer.ChangeRequest.Deactivate;
import dev.headstone.writer.ChangeRequest.Reactivate;
import java.util.Optional;

/** What somebody wants to become of a link. */
sealed interface Wish {
    /** It is to be dead, for all to see that an operator did it. */
    record TakeDown(Reason why) implements Wish {}

    /** It is to live again, whatever ended it. */
    record Restore(Reason why) implements Wish {}

    /** It is to be changed by its owner, or by an operator. */
    record Patch(ChangeRequest request) implements Wish {}

    default ChangeKind kind() {
        return switch (this) {
            case TakeDown _ -> ChangeKind.TAKEDOWN;
            case Restore _ -> ChangeKind.RESTORE;
            case Patch(Deactivate _) -> ChangeKind.DEACTIVATE;
            case Patch(Reactivate _) -> ChangeKind.REACTIVATE;
            case Patch(Alter _) -> ChangeKind.ALTER;
        };
    }

    default Optional<String> reason() {
        return switch (this) {
            case TakeDown(Reason why) -> Optional.of(why.text());
            case Restore(Reason why) -> Optional.of(why.text());
            case Patch _ -> Optional.empty();
        };
    }
}

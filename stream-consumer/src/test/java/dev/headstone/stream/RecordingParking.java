package dev.headstone.stream;

import java.util.ArrayList;
import java.util.List;

/** Keeps what was parked, or is out of reach. */
final class RecordingParking implements Parking {
    private final List<Parked> parked = new ArrayList<>();
    private boolean unreachable;

    void unreachable() {
        unreachable = true;
    }

    List<Parked> parked() {
        return List.copyOf(parked);
    }

    @Override
    public boolean park(Parked record) {
        if (unreachable) {
            return false;
        }
        parked.add(record);
        return true;
    }
}

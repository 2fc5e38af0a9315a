package dev.headstone.standalone.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows with aligned columns; the last column is as wide as it likes. */
final class Grid {
    private final List<List<String>> rows = new ArrayList<>();

    Grid row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    @Override
    public String toString() {
        return rows.stream().map(this::line).collect(Collectors.joining(System.lineSeparator()));
    }

    private String line(List<String> row) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> padded(row.get(column), column, row.size()))
                .collect(Collectors.joining("  "));
    }

    private String padded(String cell, int column, int columns) {
        return column == columns - 1 ? cell : cell + " ".repeat(width(column) - cell.length());
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.size() > column + 1)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }
}

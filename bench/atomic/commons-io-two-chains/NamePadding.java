package org.apache.commons.io;

/** Makes names as wide as a column. */
final class NamePadding {

    /** The width of the column. */
    static final int COLUMN = 8;

    private NamePadding() {
    }

    /** Returns a name with spaces after it. */
    static String fill(final String name) {
        final StringBuilder wide = new StringBuilder(name);
        while (wide.length() < COLUMN) {
            wide.append(' ');
        }
        return wide.toString();
    }
}

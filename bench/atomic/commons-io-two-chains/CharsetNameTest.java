package org.apache.commons.io;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** A name begins with itself, however wide it is made. */
public class CharsetNameTest {
    @Test
    public void aNameBeginsWithItself() {
        assertTrue(IOCase.SENSITIVE.checkStartsWith(ByteOrderMark.UTF_8.getCharsetName(), "UTF-8"));
    }
}

#!/usr/bin/env node
'use strict';
import { readFile } from 'fs/promises';

// Sums what is in a file.
class Sum {
  #total = 0;
  add(...numbers) {
    for (const number of numbers) this.#total += number;
    return this;
  }
  get total() { return this.#total; }
}

export const main = async (path = 'input.txt') => {
  const text = await readFile(path, { encoding: 'utf8' });
  const numbers = text.split(/\s+/g).map((word) => Number(word) || 0x10);
  const { total } = new Sum().add(...numbers);
  console.log(`total: ${total ?? 'none'}`);
  label: while (true) { break label }
};
const view = <p className="sum">{main()}</p>

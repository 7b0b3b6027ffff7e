import type { Reader } from "./reader";

/** What can be measured. */
interface Measured<T = number> {
  readonly size: T;
  name?: string;
}

enum Unit { Metre = 1, Foot }

type Sizes = Record<string, Measured> | undefined;

export abstract class Box implements Measured {
  constructor(public readonly size: number, protected reader: Reader) {}
  abstract open(): Promise<void>;
  static of<T extends Box>(this: new (size: number) => T, size: number): T {
    return new this(size) as T;
  }
}

export function largest(sizes: Sizes, unit: Unit = Unit.Metre): number {
  let most = 0;
  for (const key in sizes) most = Math.max(most, sizes![key].size * unit);
  return most satisfies number;
}

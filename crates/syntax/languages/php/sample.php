<!doctype html>
<title><?= $title ?></title>
<?php
declare(strict_types=1);

namespace Sample;

use InvalidArgumentException;

/** Keeps prices. */
abstract class Prices implements \Countable
{
    private const LIMIT = 0x10;
    protected array $prices = ['tea' => 1.5];

    public function __construct(private ?string $name = null) {}

    public function count(): int
    {
        foreach ($this->prices as $what => $price) {
            if ($price > self::LIMIT) { // too dear
                throw new InvalidArgumentException("{$what} costs $price");
            }
        }
        return array_sum(array_map(fn ($price) => (int) $price, $this->prices)) ?: 1;
    }
}

function greet(string ...$names): void
{
    switch (count($names)) {
        case 0: echo 'nobody'; break;
        default: echo implode(', ', $names), PHP_EOL;
    }
}

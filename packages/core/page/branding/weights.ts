/** Sums of weights by key. */
export class Weights {
  readonly #sums = new Map<string, number>()

  add(key: string, weight: number): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + weight)
  }

  /** Returns the keys, heaviest first. */
  ranked(): string[] {
    return [...this.#sums].sort(([, one], [, other]) => other - one).map(([key]) => key)
  }

  /** Returns the share of a key in the total weight, from 0 to 1. */
  share(key: string): number {
    const total = [...this.#sums.values()].reduce((sum, one) => sum + one, 0)
    return total === 0 ? 0 : (this.#sums.get(key) ?? 0) / total
  }
}

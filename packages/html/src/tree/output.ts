/** Called with the characters and values that a result grows by. Throws to stop it when that is too much. */
export type Spend = (characters: number, values?: number) => void

/** Limits nothing. The default for outputs. */
export const spendNothing: Spend = () => undefined

// Growth is reported in batches, as reporting each chunk would cost more than writing it.
const together = 65_536

/** Collects the chunks of a string. */
export class Output {
  readonly #pieces: string[] = []
  readonly #spend: Spend
  #untold = 0

  constructor(spend: Spend = spendNothing) {
    this.#spend = spend
  }

  push(piece: string): void {
    this.#pieces.push(piece)
    this.#untold += piece.length
    if (this.#untold > together) this.#tell()
  }

  join(): string {
    this.#tell()
    return this.#pieces.join('')
  }

  #tell(): void {
    this.#spend(this.#untold)
    this.#untold = 0
  }
}

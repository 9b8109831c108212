/** Is told what a value grows by, in characters and in values, while it is made. Throws when that is too much. */
export type Spend = (characters: number, values?: number) => void

export const spendNothing: Spend = () => undefined

// Telling of each piece would cost more than making it.
const together = 65_536

/** The pieces of a text, in order. */
export class Output {
  readonly #pieces: string[] = []
  readonly #spend: Spend
  #untold = 0

  constructor(spend: Spend = spendNothing) {
    this.#spend = spend
  }

  push(...pieces: readonly string[]): void {
    for (const piece of pieces) {
      this.#pieces.push(piece)
      this.#untold += piece.length
    }
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

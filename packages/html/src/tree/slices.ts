// Slices per batch. An array of millions of slices would take many times the memory of the string.
const together = 4_096

/**
 * Builds a string from slices of another, for replacements at some positions. With few replacements that is much faster
 * than building it character by character.
 */
export class Slices {
  readonly #joined: string[] = []
  #pieces: string[] = []

  add(piece: string): void {
    this.#pieces.push(piece)
    if (this.#pieces.length === together) this.#joinSome()
  }

  join(): string {
    this.#joinSome()
    return this.#joined.length === 1 ? this.#joined[0]! : this.#joined.join('')
  }

  #joinSome(): void {
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }
}

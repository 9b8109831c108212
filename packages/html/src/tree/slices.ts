// Joined so many at a time: what stands between millions of changed places takes many times the memory of the text.
const together = 4_096

/**
 * Puts together a text that is another one with some places changed, of the slices between them. Where few places change that
 * costs a fraction of what it costs code by code.
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

// A terminal: what a program writes to one with its times, and the lines that it shows at each.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A piece of what a program wrote, and when. */
export interface Piece {
  readonly at: number
  readonly text: string
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** Runs a command on a terminal of its own, which `script` of util-linux opens. */
export async function transcript(
  command: string,
  { columns, rows }: TerminalSize,
  env: Readonly<Record<string, string>>,
): Promise<readonly Piece[]> {
  const line = `stty cols ${columns} rows ${rows}; ${command}`
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const began = performance.now()
  const pieces: Piece[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => pieces.push({ at: performance.now() - began, text }))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${pieces.map(({ text }) => text).join('')}`)
  return pieces
}

const tones: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow' }
const sequence = /\u001B\[([\d;?]*)([A-Za-z])|[^\u001B]/gu

interface Cell {
  readonly letter: string
  readonly tone: string
}

/** The lines of a terminal. It knows what the command writes: letters, tones, a new line, and a line written again. */
export class Screen {
  readonly #lines: Cell[][] = [[]]
  readonly #size: TerminalSize
  #column = 0
  #tone = ''
  /** The beginning of a sequence whose end is in the next piece. */
  #begun = ''

  constructor(size: TerminalSize) {
    this.#size = size
  }

  write(text: string): void {
    const all = this.#begun + text
    const whole = all.replace(/\u001B(?:\[[\d;?]*)?$/u, '')
    this.#begun = all.slice(whole.length)
    for (const [letter, value = '', act] of whole.matchAll(sequence)) {
      if (act === 'm')
        this.#tone = value
          .split(';')
          .map((code) => tones[code] ?? '')
          .join(' ')
          .trim()
      else if (act === 'K') this.#line.length = value === '2' ? 0 : this.#column
      else if (act === undefined) this.#put(letter)
    }
  }

  get #line(): Cell[] {
    return this.#lines.at(-1) ?? []
  }

  #put(letter: string): void {
    if (letter === '\r') this.#column = 0
    else if (letter === '\n') this.#lines.push([])
    else {
      if (this.#column === this.#size.columns) {
        this.#lines.push([])
        this.#column = 0
      }
      while (this.#line.length < this.#column) this.#line.push({ letter: ' ', tone: '' })
      this.#line[this.#column++] = { letter, tone: this.#tone }
    }
  }

  /** The last lines, each with its tones. */
  html(): string {
    const seen = this.#lines.slice(-this.#size.rows)
    return seen.map((line) => line.map(({ letter, tone }) => span(letter, tone)).join('')).join('\n')
  }
}

function span(letter: string, tone: string): string {
  const safe = letter.replace('&', '&amp;').replace('<', '&lt;')
  return tone === '' ? safe : `<span class="${tone}">${safe}</span>`
}

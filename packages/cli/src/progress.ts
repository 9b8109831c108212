// Progress line of a job on a terminal.
import { clearLine } from './printable.ts'

/** Progress of a job as the line shows it. */
export interface JobProgress {
  readonly done: number
  readonly failed: number
  readonly total: number
  readonly credits: number
  /** The page that finished last. */
  readonly url: string
}

export interface Progress {
  /** Writes whole lines above the progress line. */
  print<Result>(write: () => Result): Result
  /** Updates the progress. */
  show(state: JobProgress): void
  /** Removes the progress line. */
  end(): void
}

export interface Screen {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly columns: () => number
  readonly now: () => number
  /** Calls `work` at an interval. Returns a function that stops it. */
  readonly every: (milliseconds: number, work: () => void) => () => void
}

const redrawEvery = 100
const tellEvery = 10_000
// Milliseconds. The rate covers recent pages only, since a job rarely ends as fast as it began.
const rateWindow = 10_000

/** Shows a live progress line on a terminal; elsewhere prints a line every ten seconds. */
export function showProgress(screen: Screen): Progress {
  if (!screen.isTerminal) return showLines(screen)
  const began = screen.now()
  const past: { readonly at: number; readonly done: number }[] = [{ at: began, done: 0 }]
  let state: JobProgress = { done: 0, failed: 0, total: 0, credits: 0, url: '' }
  let isShown = false
  const clear = (): void => {
    if (isShown) screen.write(clearLine)
    isShown = false
  }
  const draw = (): void => {
    const now = screen.now()
    const done = state.done + state.failed
    past.push({ at: now, done })
    while (past.length > 2 && now - (past[1]?.at ?? now) >= rateWindow) past.shift()
    const [first = { at: now, done }] = past
    const rate = now > first.at ? ((done - first.done) * 1_000) / (now - first.at) : 0
    screen.write(`${clearLine}${progressLine(state, rate, now - began, screen.columns())}`)
    isShown = true
  }
  const stop = screen.every(redrawEvery, draw)
  return {
    print: (write) => {
      clear()
      return write()
    },
    show: (next) => {
      state = next
    },
    end: () => {
      stop()
      clear()
    },
  }
}

/** Prints the progress every ten seconds, for logs and pipes. */
function showLines({ write, every }: Screen): Progress {
  let state: JobProgress | undefined
  const end = every(tellEvery, () => {
    if (!state) return
    const { done, failed, total } = state
    write(`${done + failed} of ${total} pages${failed > 0 ? `, ${failed} failed` : ''}\n`)
  })
  return { print: (work) => work(), show: (next) => void (state = next), end }
}

const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const barWidth = 20

/** Returns the progress line, no wider than the terminal. `rate` is in pages per second, `age` in milliseconds. */
export function progressLine(
  { done, failed, total, credits, url }: JobProgress,
  rate: number,
  age: number,
  columns: number,
): string {
  const finished = done + failed
  const full = total === 0 ? 0 : Math.min(barWidth, Math.floor((finished / total) * barWidth))
  const bar = '█'.repeat(full) + '░'.repeat(barWidth - full)
  const turn = spinner[Math.floor(age / redrawEvery) % spinner.length] ?? ''
  const parts = [
    `${turn} ${bar} ${finished}/${total}`,
    `${rate.toFixed(rate < 10 ? 1 : 0)}/s`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(credits > 0 ? [`${credits} ${credits === 1 ? 'credit' : 'credits'}`] : []),
    ...(rate > 0 && total > finished ? [`ETA ${duration(((total - finished) / rate) * 1_000)}`] : []),
    url,
  ]
  // The last column stays empty, because some terminals wrap a line that fills it.
  return cut(parts.join('  ').trimEnd(), columns - 1)
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`
}

/** Formats a duration in milliseconds, rounded up to seconds. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

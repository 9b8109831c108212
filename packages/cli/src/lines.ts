import { createInterface } from 'node:readline'

export interface ReadLines {
  readonly prompt: string
  readonly until: AbortSignal
  readonly isInteractive: boolean
}

/**
 * Yields lines of standard input. The prompt goes to stderr, so that stdout contains results only. Ends when the input
 * ends or `until` is aborted.
 */
export async function* readLines({ prompt, until, isInteractive }: ReadLines): AsyncGenerator<string> {
  const lines = createInterface({
    input: process.stdin,
    ...(isInteractive && { output: process.stderr, prompt }),
    terminal: isInteractive,
  })
  const close = (): void => lines.close()
  // The input may end while a command runs. Its last lines are still read, but there is nobody to prompt.
  let isOver = false
  lines.once('close', () => (isOver = true))
  until.addEventListener('abort', close, { once: true })
  // Readline in terminal mode receives Ctrl-C as a key, so forward it as a signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  if (until.aborted) close()
  else if (isInteractive) lines.prompt()
  try {
    for await (const line of lines) {
      yield line
      if (isInteractive && !isOver) lines.prompt()
    }
  } finally {
    until.removeEventListener('abort', close)
    close()
  }
}

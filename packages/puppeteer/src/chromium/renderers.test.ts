import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { watchRenderers } from './renderers.ts'

/** Gets the command line of a page late, as a process that Chromium has just forked, and then takes too much. */
const late = `
  setTimeout(() => {
    process.title = ['chromium --type', 'renderer'].join('=')
    globalThis.held = Buffer.alloc(300e6, 1)
  }, 1_000)
  setInterval(() => undefined, 1_000)
`

test.skipIf(process.platform !== 'linux')(
  'a page whose process was seen before it had its own command line is bounded like any other (on Linux, where a command line can change)',
  async () => {
    const start = ['-c', '"$0" -e "$1" -- "$2" & wait', process.execPath, late, 'x'.repeat(100)]
    const browser = spawn('sh', start, { detached: true, stdio: 'ignore' })
    const gone = once(browser, 'exit', { signal: AbortSignal.timeout(20_000) })
    const watch = watchRenderers(Number(browser.pid), 200e6)
    watch.start()
    try {
      await gone
    } finally {
      watch.stop()
      if (browser.exitCode === null) process.kill(-Number(browser.pid), 'SIGKILL')
    }
    expect(watch.whyEnded()).toBe('memory')
  },
  30_000,
)

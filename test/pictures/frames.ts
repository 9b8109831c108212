// Recordings: pictures of a page one after the other, each shown as long as it was, in one animated WebP.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'puppeteer-core'

interface Frame {
  readonly picture: Uint8Array
  readonly at: number
}

/** Where a recording ends: how long the last frame is shown before it begins again. */
const rests = 3_000
const qualities = [82, 70, 55, 40]

/** What a page showed, in frames that differ. */
export class Recording {
  readonly #frames: Frame[] = []

  /** Adds what the page shows now. `at` is the time in milliseconds since any beginning. */
  async add(page: Page, at: number): Promise<void> {
    const picture = await page.screenshot({ type: 'png' })
    const last = this.#frames.at(-1)
    if (last === undefined || Buffer.compare(last.picture, picture) !== 0) this.#frames.push({ picture, at })
  }

  /** Adds what the page shows until the work is done, and a moment longer. */
  async follow(page: Page, work: () => Promise<unknown>): Promise<void> {
    const ended = new AbortController()
    const done = work().finally(() => ended.abort())
    while (!ended.signal.aborted) await this.add(page, performance.now())
    await done
    await this.add(page, performance.now())
  }

  /** Writes `<path>.webp` with as much quality as fits, and its last frame beside it as `<path>-still.webp`. */
  write(path: string, mostBytes: number): void {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-frames-'))
    try {
      const files = this.#frames.map(({ picture }, index) => {
        const file = join(folder, `${String(index).padStart(4, '0')}.png`)
        writeFileSync(file, picture)
        return file
      })
      const shown = this.#frames.map(({ at }, index) => (this.#frames[index + 1]?.at ?? at + rests) - at)
      const last = files.at(-1)
      if (last === undefined) throw new Error('Nothing was recorded.')
      img2webp([...lossy(80), last, '-o', `${path}-still.webp`])
      for (const quality of qualities) {
        const frames = files.flatMap((file, index) => ['-d', String(Math.max(20, Math.round(shown[index] ?? 0))), file])
        img2webp(['-loop', '0', '-min_size', ...lossy(quality), ...frames, '-o', `${path}.webp`])
        const { size } = statSync(`${path}.webp`)
        console.log(`${path}.webp: ${files.length} frames, ${Math.round(size / 1_000)} KB, quality ${quality}`)
        if (size <= mostBytes) return
      }
      throw new Error(`${path}.webp is larger than ${mostBytes} bytes in the least quality.`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

const lossy = (quality: number): readonly string[] => ['-lossy', '-q', String(quality), '-m', '4']

function img2webp(args: readonly string[]): void {
  try {
    execFileSync('img2webp', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing
      ? new Error('img2webp makes recordings, and is missing: apt-get install webp', { cause: error })
      : error
  }
}

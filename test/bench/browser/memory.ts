// What one more isolated tab costs in memory, measured in a process of its own.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { puppeteerBrowser } from '../../../packages/puppeteer/src/index.ts'
import { memoryBelow } from './processes.ts'

/** Bytes for each open tab beyond the first. */
export async function measureContexts(executable: string, origin: string): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), executable, origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) return Number(line)
  return Number.NaN
}

async function measure(executable: string, origin: string): Promise<number> {
  const guard = { checkUrl: () => undefined, resolve: async () => ({ address: '127.0.0.1', family: 4 as const }) }
  const browser = puppeteerBrowser({ executablePath: executable, tabs: 16 })(guard)
  const signal = AbortSignal.timeout(120_000)
  const profile = { headers: {}, mobile: false, blockAds: true, skipTlsVerification: false, pictures: false }
  const open = async (): Promise<void> => {
    const tab = await browser.open(profile, signal)
    await tab.goto(new URL(`${origin}/page`), signal)
  }
  await open()
  const one = memoryBelow(process.pid)
  for (let count = 1; count < 8; count++) await open()
  const eight = memoryBelow(process.pid)
  await browser.close()
  return (eight - one) / 7
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [executable = '', origin = ''] = process.argv.slice(2)
  console.log(await measure(executable, origin))
  process.exit(0)
}

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { createEngine } from '@harvestman/core'
import { findBrowser, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import type { BrowserProfile } from '@harvestman/ports'

import { authority, goodCertificate, key } from '../../../packages/net/test/certificates.ts'
import { localGuard } from '../../../packages/puppeteer/test/guard.ts'
import { serveWire, type WireVisit } from '../../../packages/net/test/wire/wire-server.ts'
import { signalPage } from './page.ts'

/** What a site sees of one client. */
export interface Seen {
  /** The request for the page. */
  readonly visit: WireVisit
  /** What the scripts of the page see. Absent for a client that runs no scripts. */
  readonly page?: Readonly<Record<string, unknown>> | undefined
}

/** Opens a URL like one kind of client. `reported` resolves when the scripts of the page have reported. */
export type OpenPage = (url: string, reported: Promise<unknown>) => Promise<void>

const plain: BrowserProfile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: true }
// A time zone that hosts of tests hardly have.
const profile: BrowserProfile = { ...plain, location: { country: 'FJ', languages: ['en-US'] } }
const soon = (): AbortSignal => AbortSignal.timeout(120_000)

/** Opens a page with the HTTP loader. */
export const openOverHttp: OpenPage = async (url) => {
  await using engine = createEngine({ allowPrivate: ['127.0.0.0/8', '::1'], browser: puppeteerBrowser() })
  await engine.scrape({ url, skipTlsVerification: true })
}

/** Opens a page with `impitFetcher`, in a process of its own that trusts the certificate of the tests. */
export const openWithIdentity: OpenPage = async (url) => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  try {
    const trusted = join(folder, 'authority.pem')
    await writeFile(trusted, authority)
    const script = fileURLToPath(new URL('./with-identity.ts', import.meta.url))
    await promisify(execFile)(process.execPath, [script, url], {
      env: { ...process.env, SSL_CERT_FILE: trusted },
      timeout: 60_000,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens a page with the browser loader. */
export function openInBrowser(prefer: 'shell' | 'full'): OpenPage {
  return async (url, reported) => {
    const browser = puppeteerBrowser({ prefer })(localGuard())
    try {
      const tab = await browser.open(profile, soon())
      await tab.goto(new URL(url), soon())
      await reported
      await tab.close()
    } finally {
      await browser.close()
    }
  }
}

/** Opens a page in a live session. */
export function openLive({ hasLocation = true } = {}): OpenPage {
  return async (url, reported) => {
    const sessions = puppeteerSessions()(localGuard())
    try {
      const live = await sessions.open({ team: 'one', profile: hasLocation ? profile : plain }, soon())
      await live.tab.goto(new URL(url), soon())
      await reported
    } finally {
      await sessions.close()
    }
  }
}

/** Opens a page as a person does who starts the installed browser. */
export function openLikePerson(prefer: 'shell' | 'full'): OpenPage {
  return async (url, reported) => {
    const found = findBrowser({ prefer })
    if (found?.kind !== prefer) throw new Error(`This host has no Chromium of the kind ${prefer}.`)
    const folder = mkdtempSync(join(tmpdir(), 'identity-'))
    const isRoot = process.getuid?.() === 0
    const child = spawn(
      found.executable,
      [
        prefer === 'full' ? '--headless=new' : '--headless',
        `--user-data-dir=${folder}`,
        '--ignore-certificate-errors',
        '--no-first-run',
        // Keeps the headless shell open.
        '--remote-debugging-port=0',
        ...(isRoot ? ['--no-sandbox'] : []),
        url,
      ],
      // A group of its own: the other processes of a browser would create the folder again after its first one is killed.
      { stdio: 'ignore', detached: true, env: { ...process.env, LANG: 'en_US.UTF-8', TMPDIR: folder } },
    )
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const failed = ended.then(() => Promise.reject(new Error('The browser ended before it reported.')))
    failed.catch(() => undefined)
    try {
      await Promise.race([reported, failed])
    } finally {
      await killGroup(child)
      await ended
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  }
}

/** Kills the process group of a child, and waits for at most two seconds until all of its processes have ended. */
async function killGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return
  try {
    for (let round = 0; round < 100; round += 1) {
      process.kill(-pid, 'SIGKILL')
      await sleep(20)
    }
  } catch (error) {
    // There is no process left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Opens the page of signals with each client, one after another, and returns what the site saw. */
export async function lookAtClients<Name extends string>(
  clients: Readonly<Record<Name, { readonly open: OpenPage; readonly runsScripts?: boolean }>>,
): Promise<Record<Name, Seen>> {
  const visits = new Map<string, WireVisit>()
  const reports = new Map<string, (signals: Record<string, unknown>) => void>()
  const server = await serveWire(
    (visit) => {
      const url = new URL(visit.path, 'https://x')
      const client = url.searchParams.get('client') ?? ''
      if (url.pathname === '/report') reports.get(client)?.(JSON.parse(visit.body) as Record<string, unknown>)
      if (url.pathname === '/' && !visits.has(client)) visits.set(client, visit)
      return { body: url.pathname === '/' ? signalPage : '' }
    },
    { cert: goodCertificate, key },
  )
  const seen: Partial<Record<Name, Seen>> = {}
  try {
    for (const name of Object.keys(clients) as Name[]) {
      const { open, runsScripts = true } = clients[name]
      const reported = new Promise<Record<string, unknown>>((resolve) => reports.set(name, resolve))
      await open(`https://localhost:${server.port}/?client=${encodeURIComponent(name)}`, reported)
      const visit = visits.get(name)
      if (!visit) throw new Error(`The client ${name} did not request the page.`)
      seen[name] = { visit, page: runsScripts ? await reported : undefined }
    }
  } finally {
    await server.close()
  }
  return seen as Record<Name, Seen>
}

// What a tab of the web page costs: bytes over the wire, the time to its first paint, and the frames it draws.
import type { Browser, CDPSession, Page } from 'puppeteer-core'

/** Bytes as they were sent, packed, with their headers. */
export interface Bytes {
  /** Of the files of the page. */
  readonly files: number
  /** Of the answers of the API. */
  readonly answers: number
  readonly requests: number
}

/** A tab with empty caches that counts what it receives. */
export interface CountedTab extends AsyncDisposable {
  readonly page: Page
  bytes(): Bytes
  /** Milliseconds of processor time of the main thread of the page since it was opened. */
  cpu(): Promise<number>
}

export async function openTab(browser: Browser): Promise<CountedTab> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(300_000)
  await page.setViewport({ width: 1440, height: 900 })
  const session = await page.createCDPSession()
  const bytes = await countBytes(session)
  // A busy machine makes everything late, and nothing cost more.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpu = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
  return { page, bytes, cpu, [Symbol.asyncDispose]: () => context.close() }
}

async function countBytes(session: CDPSession): Promise<() => Bytes> {
  const files = new Set<string>()
  const total = { files: 0, answers: 0, requests: 0 }
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const path = new URL(request.url).pathname
    total.requests += 1
    if (path === '/' || path.startsWith('/ui/assets/')) files.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    total[files.has(requestId) ? 'files' : 'answers'] += encodedDataLength
  })
  await session.send('Network.enable')
  return () => ({ ...total })
}

/** Milliseconds since the request of the page. */
export interface Paint {
  /** The first letters: the names of the views. */
  readonly first: number
  /** The heading of the view: its script is there. */
  readonly heading: number
}

/** Opens a view, and says when its first letters and its heading were there. */
export async function paintOf(page: Page, url: string): Promise<Paint> {
  await page.evaluateOnNewDocument(`
    new MutationObserver((_, observer) => {
      if (!document.querySelector('h1')) return
      observer.disconnect()
      performance.mark('heading')
    }).observe(document, { childList: true, subtree: true })`)
  await page.goto(url)
  const found = await page.waitForFunction(`(() => {
    const [first] = performance.getEntriesByName('first-contentful-paint')
    const [heading] = performance.getEntriesByName('heading')
    return first && heading && { first: first.startTime, heading: heading.startTime }
  })()`)
  return (await found.jsonValue()) as Paint
}

/** The frames of a stretch of time. */
export interface Frames {
  readonly perSecond: number
  /** The share of time in which the page kept up: 1 when no frame was left out. */
  readonly kept: number
  readonly longest: number
  /** The 99th of a hundred, in milliseconds. */
  readonly p99: number
  /** Milliseconds of processor time a frame: below 16.7, a free core draws 60 a second. */
  readonly cpu: number
}

/** Counts the frames while something is done. A step of the page, if one is given, is taken in each of them. */
export async function framesDuring(
  { page, cpu }: CountedTab,
  work: () => Promise<unknown>,
  step = '',
): Promise<Frames> {
  await page.evaluate(`
    {
      const own = (globalThis.watchedFrames = { times: [], isOver: false })
      requestAnimationFrame(function next(time) {
        if (own.isOver) return
        own.times.push(time)
        ${step}
        requestAnimationFrame(next)
      })
    }`)
  const before = await cpu()
  await work()
  const spent = (await cpu()) - before
  const times = (await page.evaluate(`watchedFrames.isOver = true, watchedFrames.times`)) as readonly number[]
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const whole = gaps.reduce((sum, gap) => sum + gap, 0)
  const sorted = gaps.toSorted((one, other) => one - other)
  return {
    perSecond: Math.round((gaps.length / whole) * 10_000) / 10,
    kept: Math.round((gaps.length / (whole / (1_000 / 60))) * 1_000) / 1_000,
    longest: Math.round(sorted.at(-1) ?? NaN),
    p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? NaN),
    cpu: Math.round((spent / gaps.length) * 10) / 10,
  }
}

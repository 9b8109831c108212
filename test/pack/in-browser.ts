// Runs a module in a page of a real browser, and in a worker of that page, from the files of an installed package.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize, sep } from 'node:path'

import puppeteer from 'puppeteer-core'

const page = `<!doctype html><meta charset="utf-8"><title>Test</title><script type="module">
  import { job } from '/job.js'
  const worker = new Worker('/worker.js', { type: 'module' })
  const inWorker = new Promise((done, fail) => {
    worker.onmessage = ({ data }) => done(data)
    worker.onerror = (event) => fail(new Error(event.message))
  })
  window.answers = inWorker.then((answer) => [job(), answer])
</script>`

/** What `job` gives in the page and in its worker. `source` is a module that exports it; `folder` is served at `/package/`. */
export async function runInBrowser(
  executablePath: string,
  folder: string,
  source: string,
): Promise<readonly unknown[]> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const body = files(source)[pathname] ?? packageFile(folder, pathname)
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'], headless: 'shell' })
  try {
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    return (await tab.evaluate('window.answers')) as readonly unknown[]
  } finally {
    await browser.close()
    server.close()
  }
}

const files = (source: string): Readonly<Record<string, string>> => ({
  '/': page,
  '/job.js': source,
  '/worker.js': "import { job } from '/job.js'\npostMessage(job())",
})

function packageFile(folder: string, pathname: string): string | undefined {
  const path = normalize(join(folder, pathname.replace(/^\/package\//, '')))
  if (!pathname.startsWith('/package/') || !path.startsWith(folder + sep)) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

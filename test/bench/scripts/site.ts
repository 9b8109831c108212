// The pages of MiniWoB++ on loopback: each with a seed of its own, as they are or changed.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join, normalize } from 'node:path'

import { drifted, randomOf } from '../data/drift.ts'

export interface MiniWob {
  readonly origin: string
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.gif': 'image/gif',
}

/** Serves the folder. `?seed=…&drift=…` says which episode, and how the page has changed: `none` not at all. */
export async function serveMiniWob(folder: string): Promise<MiniWob> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = normalize(url.pathname).replace(/^(?:\.\.(?:\/|$))+/, '')
    readFile(join(folder, path))
      .then((bytes) => {
        const type = types[extname(path)] ?? 'application/octet-stream'
        const isTask = path.startsWith('/miniwob/')
        response.setHeader('content-type', type)
        response.end(isTask ? task(bytes.toString(), url.searchParams) : bytes)
      })
      .catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${portOf(server)}`, close: async () => void server.close() }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** The page with an episode that begins by itself and does not run out of time. */
function task(html: string, query: URLSearchParams): string {
  const drift = query.get('drift') ?? 'none'
  const seed = Buffer.from(drift).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7)
  const page = isSame(drift) ? html : drifted(renamed(html, seed), { kinds: ['wrappers', 'order'], seed })
  const begin = `<script>addEventListener('load', () => {
    core.EPISODE_MAX_TIME = 1e9
    Math.seedrandom(${JSON.stringify(query.get('seed') ?? '')})
    core.startEpisodeReal()
    // The words of the task are for the one who gives the parameters. Scripts do not read them.
    const said = core.getUtterance()
    globalThis.benchWords = typeof said === 'string' ? said : said.utterance
    globalThis.benchFields = said.fields ?? {}
    document.querySelector('#query').style.display = 'none'
    ${isSame(drift) ? '' : liveDrift(seed)}
    ${drift.startsWith('words') ? reworded : ''}
  })</script>`
  return page.includes('</body>') ? page.replace(/<\/body>(?![\s\S]*<\/body>)/, () => `${begin}</body>`) : page + begin
}

/** What the common scripts look for. */
const common = /^(?:query|area|wrap|reward-.*|click-canvas|sync-task-cover|episode-id|timer-.*|ui-.*|info|bold)$/

/** Half of the classes and ids get other names, in the page, its styles and its scripts. */
function renamed(html: string, seed: number): string {
  const random = randomOf(seed)
  const tokens = new Set(
    [
      ...html.matchAll(
        /(?:\b(?:id|class)\s*=\s*|attr\('(?:id|class)',\s*|setAttribute\('(?:id|class)',\s*)["']([\w -]+)["']/g,
      ),
    ]
      .flatMap(([, names = '']) => names.split(/\s+/))
      .filter((name) => name.length > 1 && !common.test(name)),
  )
  let page = html
  for (const token of tokens) {
    if (random() < 0.5) continue
    const other = `x${Math.floor(random() * 1e6).toString(36)}`
    page = page
      .replaceAll(new RegExp(`([#.])${token}(?![\\w([-])`, 'g'), (_, mark: string) => mark + other)
      .replaceAll(
        /((?:(?:id|class)=|(?:setAttribute|attr)\('class',\s*|(?:classed|addClass|removeClass)\()["'])([^"']*)(["'])/g,
        (_, begin: string, names: string, end: string) => {
          return (
            begin +
            names
              .split(' ')
              .map((name) => (name === token ? other : name))
              .join(' ') +
            end
          )
        },
      )
      .replaceAll(new RegExp(`(["'])${token}\\1`, 'g'), (_, quote: string) => quote + other + quote)
  }
  return page
}

/** Not changed at all, or in its words alone. */
const isSame = (drift: string): boolean => drift === 'none' || drift.startsWith('words')

/** The button that sends says something else. */
const reworded = `for (const button of document.querySelectorAll('#area button'))
  if (button.textContent === 'Submit') button.textContent = 'Send now'`

/** What scripts made is changed too: wrappers around controls. */
function liveDrift(seed: number): string {
  return `{
    let state = ${seed}
    const random = () => ((state = (state * 1103515245 + 12345) >>> 0) / 4294967296)
    const area = document.querySelector('#area')
    for (const element of [...area.querySelectorAll('button, input, select, textarea, h3, p')]) {
      if (random() < 0.6 || element.closest('.ui-accordion, .ui-tabs, label') || element.parentElement.localName === 'tr') continue
      const wrapper = document.createElement('div')
      wrapper.className = 'wrap-' + Math.floor(random() * 1000)
      wrapper.style.display = 'inline-block'
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
  }`
}

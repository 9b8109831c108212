import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Hosts of this machine, to whose pages the first page of the first of them leads. */
export interface Hosts {
  /** The first page. */
  readonly url: string
  readonly ports: readonly number[]
  /** How often each page was asked for, by its address. */
  readonly visits: Map<string, number>
  /** When. */
  readonly times: number[]
  /** The most pages of one host that were asked for at the same time. */
  readonly mostAtOnce: () => number
  close(): void
}

/** Starts hosts with so many pages together, which answer after so many milliseconds. */
export async function startHosts(options: {
  readonly hosts: number
  readonly pages: number
  readonly delay: number
}): Promise<Hosts> {
  const { hosts, pages, delay } = options
  const visits = new Map<string, number>()
  const times: number[] = []
  const ports: number[] = []
  let most = 0
  const addressOf = (page: number): string => `http://127.0.0.1:${ports[page % hosts]}/page/${page}`
  const servers = Array.from({ length: hosts }, (_, host) => {
    let running = 0
    return createServer((request, response) => {
      const page = Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN)
      if (!(page < pages) || page % hosts !== host) return void response.writeHead(404).end()
      const address = addressOf(page)
      visits.set(address, (visits.get(address) ?? 0) + 1)
      times.push(performance.now())
      running += 1
      most = Math.max(most, running)
      setTimeout(() => {
        running -= 1
        response.writeHead(200, { 'content-type': 'text/html' }).end(textOf(page))
      }, delay)
    })
  })
  const textOf = (page: number): string => {
    // What other hosts link to is not followed, so the first page leads to all.
    const next = page === 0 ? Array.from({ length: pages - 1 }, (_, link) => link + 1) : [(page + 1) % pages]
    const links = next.map((link) => `<li><a href="${addressOf(link)}">${link}</a></li>`).join('')
    // Pages that say the same would be taken for a trap.
    const words = Array.from({ length: 120 }, (_, word) => ((page + 1) * 2_654_435_761 * (word + 7)).toString(36))
    return `<title>${page}</title><main><h1>Page ${addressOf(page)}</h1><p>${words.join(' ')}</p><ul>${links}</ul></main>`
  }
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  return {
    url: addressOf(0),
    ports,
    visits,
    times,
    mostAtOnce: () => most,
    close: () => servers.forEach((server) => server.close()),
  }
}

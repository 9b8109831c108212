// One contender reads one sitemap, in a process of its own. Prints what it cost as JSON.
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { scanSitemap } from '../../../packages/site/src/sitemap-scan.ts'

export interface Cost {
  readonly name: string
  readonly urls: number
  readonly cpu: number
  readonly stall: number
  readonly rss: number
}

/** Counts the addresses, as whoever takes them one by one would. */
type Contender = (file: string, peers: string) => Promise<number>

async function each(file: string, take: (piece: Buffer) => void): Promise<void> {
  for await (const piece of createReadStream(file)) {
    take(piece as Buffer)
    // As a connection would: others have their turn between two pieces.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

interface SaxLike {
  write(text: string): unknown
  close(): unknown
}

async function bySax(
  file: string,
  parser: SaxLike,
  on: (name: string, take: (value: never) => void) => void,
): Promise<number> {
  let [urls, text, isLoc] = [0, '', false]
  on('opentag', (tag: { name: string }) => {
    isLoc = tag.name === 'loc'
    text = ''
  })
  on('text', (piece: string) => {
    if (isLoc) text += piece
  })
  on('closetag', (tag: string | { name: string }) => {
    if ((typeof tag === 'string' ? tag : tag.name) === 'loc' && text.trim() !== '') urls += 1
    isLoc = false
  })
  const decoder = new TextDecoder()
  await each(file, (piece) => void parser.write(decoder.decode(piece, { stream: true })))
  parser.close()
  return urls
}

const contenders: Readonly<Record<string, Contender>> = {
  'reading alone': async (file) => {
    await each(file, () => undefined)
    return 0
  },
  harvestman: async (file) => {
    let urls = 0
    const scan = scanSitemap({ most: Infinity, entry: ({ url }) => void (url !== '' && (urls += 1)) })
    await each(file, (piece) => void scan.feed(piece))
    scan.end()
    return urls
  },
  saxes: async (file, peers) => {
    const { SaxesParser } = load(peers, 'saxes') as {
      SaxesParser: new () => SaxLike & { on(name: string, take: unknown): void }
    }
    const parser = new SaxesParser()
    return bySax(file, parser, (name, take) => parser.on(name, take))
  },
  sax: async (file, peers) => {
    const { parser: make } = load(peers, 'sax') as { parser: (isStrict: boolean) => SaxLike & Record<string, unknown> }
    const parser = make(true)
    return bySax(file, parser, (name, take) => void (parser[`on${name}`] = take))
  },
  'fast-xml-parser': async (file, peers) => {
    const { XMLParser } = load(peers, 'fast-xml-parser') as {
      XMLParser: new () => { parse(text: string): { urlset: { url: unknown[] } } }
    }
    const pieces: Buffer[] = []
    await each(file, (piece) => void pieces.push(piece))
    return new XMLParser().parse(Buffer.concat(pieces).toString()).urlset.url.length
  },
}

function load(peers: string, name: string): unknown {
  return createRequire(join(peers, 'x.js'))(name)
}

async function main([name = '', file = '', peers = '']: readonly string[]): Promise<void> {
  const contender = contenders[name]
  if (!contender) throw new Error(`There is no contender ${name}; there are ${Object.keys(contenders).join(', ')}.`)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise((resolve) => setTimeout(resolve, 50))
  delay.reset()
  const before = process.cpuUsage()
  const urls = await contender(file, peers)
  const { user, system } = process.cpuUsage(before)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const cost: Cost = {
    name,
    urls,
    cpu: (user + system) / 1_000,
    stall: delay.max / 1e6,
    rss: process.resourceUsage().maxRSS / 1_024,
  }
  console.log(JSON.stringify(cost))
}

await main(process.argv.slice(2))

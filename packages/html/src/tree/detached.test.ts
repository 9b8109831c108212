import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readHtml } from '../readings/read.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const filler = 'x y z '.repeat(40_000)
const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
const options = { selectors: [{ selector: 'p', attribute: 'class' }] }

function pageOf(index: number): string {
  const head = `<meta name="some-name-that-is-long" content="a-content-that-is-long-${index}">`
  const links = `<a href="https://other${index}.test/a/long/path">x</a><img src="https://other${index}.test/a/long/image.png">`
  // From bytes, as a body comes: a text put together here would not be cut up in the same way.
  return Buffer.from(`${head}${links}<p class="a-long-class-name-${index}">${filler}`).toString()
}

test.each(['links', 'images', 'metadata', 'attributes'])(
  'a program that keeps the %s of a page does not keep the page',
  (name) => {
    const kept: unknown[] = []
    const read = (index: number): number =>
      kept.push(readHtml({ html: pageOf(index), url: 'https://site.test/' }, scope, [{ name, options }]))
    read(0)
    collect()
    const before = process.memoryUsage().heapUsed
    for (let index = 1; index <= 60; index++) read(index)
    collect()
    expect(kept).toHaveLength(61)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((60 * filler.length) / 3)
  },
)

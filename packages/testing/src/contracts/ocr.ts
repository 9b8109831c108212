import assert from 'node:assert/strict'

import type { Ocr, OcrOptions, OcrPicture, OcrText } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { engineErrorOf, reasonOf } from './until.ts'

/** Creates an engine that reads English. */
export type MakeOcr = () => Ocr | Promise<Ocr>

const size = { width: 380, height: 84 }
const text = 'Harvest report 2026'

const pictureOf = (base64: string): OcrPicture => ({
  bytes: new Uint8Array(Buffer.from(base64, 'base64')),
  type: 'image/png',
  ...size,
})

/** Returns a picture of one line: `Harvest report 2026`. */
export function pictureOfText(): OcrPicture {
  return pictureOf(
    [
      'iVBORw0KGgoAAAANSUhEUgAAAXwAAABUAgMAAAD8AWS2AAAADFBMVEX///8MDAxvb2+7u7uduziiAAAACXBIWXMAAAsSAAALEgHS3X78AAADLE',
      'lEQVRYw+2WsW7TUBSGj20ZKRXudplZPPAAHmBAlngBC+U4IbWEJVQJ2lLyCJbY2ZysLB1IJejC3LvyAPYbZOjWhaESIP5z7cRAG6OKIiR0f0WJ',
      'Ld/z3Xv+e+5xiKysrKysrKysrKysri1FFORXPtnSG0LcE/neLvHjzfB1tiO3fHJNflRs4DtmfMnA+jymAfOUqMLVTfI93mNQX6Tkp0eZ3N4w/4',
      'DCgkqq9C3tDskZ0+2b9UeTH9MQo8Cd0yDv3d+zVFP0ZjSXe7d8C3cnHnMCVrKMt9KC1PaEzJPgWVnxyIQOpu5YJiGaNT8b+S5zTtHHUU1UU4Tw',
      'gPlRw3/MccUZqRCbOJAnL3nNz90Mk5AJKnr5+xdjispjJalWp6WO9i/iz6fn4D+ZvE6/jUjNlpjkkHWwu/f16Zd2/U7SGDOj8NOkh+8JNxpTqO',
      'HoiKIYF9osyWFyMqpI5fCipDAO0tZ/FGcMvtm8EYWVFOlVfBZviO5QNEWW3tjkHK721xmKA6FWMSC4zoNszQ+Llo/6UVKkffwQq8aK3AQxzg/8',
      'TLbO16qgGTIIkiBZ80uB454wp0owyZX8xeJdTveZhQdHc0Q7OXLp+AU+SlONzJwkyFd8b7TiY7TJb3N9lg0/yAdTlA4nPrpJw09QT8wxhik3+Y',
      'kvTjX+VJqQX91TP+npUvbTSfzY8F1OL/Nx7WYdH6tu+Sn9ho9BofDdLCqa0/yQ4zW/aIb9un6suuGjNxD8U5v5KBFl6nEYasQ0q1vxzdG87D/s',
      'l91BqJ9LLaGIN/Pjlj9XEmPczdd8KeyuflZ82E9Nf8AzSbLuXX9p+HUtMQ3fb/nmhHb1n1OToZSY6W9iv0wz6/PfZcNXc7Nb53eR94oPez3dnd',
      '+c3KS1n0x/DsZNLxpu5jvpctfwQwyq9o+m6kMZD16dG77H70vd9R/wd9B/vHSxOKHqEO+XyeKYQMh6+g+zqU/pQVKPU5xq9FDTn+XVx7rrn3BL',
      '+qdnzr28H31cyety2nO+7j039Uk+FuGVO7TFBwhp+du46fq/FMua7810y38w+dO/GX/7b4zl/8d8KysrKysrKyurf6vvgJkatz12G7kAAAAASU',
      'VORK5CYII=',
    ].join(''),
  )
}

function blankPicture(): OcrPicture {
  return pictureOf(
    [
      'iVBORw0KGgoAAAANSUhEUgAAAXwAAABUAgMAAAD8AWS2AAAAA1BMVEX///+nxBvIAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAH0lEQVRYw+3BMQ',
      'EAAADCoPVPbQhfoAAAAAAAAACA1wAfgAABB6Yx7wAAAABJRU5ErkJggg==',
    ].join(''),
  )
}

function optionsWith(options: Partial<OcrOptions> = {}): OcrOptions {
  return { team: 'a', timeout: 60_000, signal: new AbortController().signal, ...options }
}

function textOf({ lines }: OcrText): string {
  return lines.map(({ words }) => words.map((word) => word.text).join(' ')).join('\n')
}

function rule(name: string, check: (ocr: Ocr) => Promise<void>): Contract<MakeOcr>[number] {
  return { name, run: async (make) => check(await make()) }
}

const reason = new Error('no more')

/** The contract of the `Ocr` port. */
export const ocrContract: Contract<MakeOcr> = [
  rule('a line of text has its words, their confidence, and boxes inside the picture', async (ocr) => {
    const read = await ocr.read(pictureOfText(), optionsWith({ languages: ['eng'] }))
    assert.equal(textOf(read), text)
    assert.ok(Math.abs(read.width - size.width) < 10 && Math.abs(read.height - size.height) < 10)
    assert.equal(read.rotation, 0)
    for (const { words, baseline, size: fontSize } of read.lines) {
      assert.ok(baseline > 0 && baseline <= read.height)
      assert.ok(fontSize > 10 && fontSize < 60)
      let before = 0
      for (const { box, confidence } of words) {
        assert.ok(box.left >= before && box.right > box.left && box.right <= read.width)
        assert.ok(box.top >= 0 && box.bottom > box.top && box.bottom <= read.height)
        assert.ok(confidence > 0 && confidence <= 1)
        before = box.left
      }
    }
  }),
  rule('a picture without text has no lines', async (ocr) => {
    const { lines } = await ocr.read(blankPicture(), optionsWith())
    assert.deepEqual(lines, [])
  }),
  rule('the bytes of the picture are not changed, and can be a view of larger ones', async (ocr) => {
    const { bytes, ...picture } = pictureOfText()
    const larger = new Uint8Array(bytes.length + 7)
    larger.set(bytes, 3)
    const view = larger.subarray(3, 3 + bytes.length)
    assert.equal(textOf(await ocr.read({ ...picture, bytes: view }, optionsWith())), text)
    assert.deepEqual(view, bytes)
  }),
  rule('a damaged picture is an error, and the next picture is read', async (ocr) => {
    const { bytes, ...picture } = pictureOfText()
    const damaged = { ...picture, bytes: bytes.slice(0, 60) }
    const { code } = await engineErrorOf(ocr.read(damaged, optionsWith()))
    assert.equal(code, 'unsupported_file')
    assert.equal(textOf(await ocr.read(pictureOfText(), optionsWith())), text)
  }),
  rule('a language that is not installed is an error that names it', async (ocr) => {
    const { code, message } = await engineErrorOf(ocr.read(pictureOfText(), optionsWith({ languages: ['xyz'] })))
    assert.equal(code, 'not_configured')
    assert.match(message, /xyz/)
  }),
  rule('an abort rejects with its reason, before and during the work', async (ocr) => {
    const before = optionsWith({ signal: AbortSignal.abort(reason) })
    assert.equal(await reasonOf(ocr.read(pictureOfText(), before)), reason)
    const controller = new AbortController()
    const reading = reasonOf(ocr.read(pictureOfText(), optionsWith({ signal: controller.signal })))
    setImmediate(() => controller.abort(reason))
    assert.equal(await reading, reason)
  }),
  rule('a picture that is not read in time is an error', async (ocr) => {
    const { code } = await engineErrorOf(ocr.read(pictureOfText(), optionsWith({ timeout: 0 })))
    assert.equal(code, 'timeout')
  }),
  rule('the progress rises from 0 to 1', async (ocr) => {
    const shares: number[] = []
    await ocr.read(pictureOfText(), optionsWith({ onProgress: (share) => shares.push(share) }))
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    )
    for (const share of shares) assert.ok(share >= 0 && share <= 1)
  }),
]

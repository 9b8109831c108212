import { describe, expect, test } from 'vitest'
import { largestCandidate, parseSrcset } from './srcset.ts'

const urls = (srcset: string): string[] => parseSrcset(srcset).map(({ url }) => url)

test('candidates are separated by commas that end a word or follow a description', () => {
  expect(urls('a.png 1x, b.png 2x')).toEqual(['a.png', 'b.png'])
  expect(urls('a.png, b.png 2x')).toEqual(['a.png', 'b.png'])
  expect(urls('a.png 100w,b.png 200w')).toEqual(['a.png', 'b.png'])
  expect(urls(' ,\n a.png\t2x ,, ')).toEqual(['a.png'])
})

test('commas inside an address belong to it', () => {
  expect(urls('/w_100,h_50/a.png 1x, /w_200,h_100/a.png 2x')).toEqual(['/w_100,h_50/a.png', '/w_200,h_100/a.png'])
  expect(urls('data:image/png;base64,AAAA 1x, b.png 2x')).toEqual(['data:image/png;base64,AAAA', 'b.png'])
})

test('descriptions are numbers of pixels or densities', () => {
  expect(parseSrcset('a 100w, b 1.5x, c, d 2e0x, e 100w 50h')).toEqual([
    { url: 'a', width: 100, density: 1 },
    { url: 'b', width: undefined, density: 1.5 },
    { url: 'c', width: undefined, density: 1 },
    { url: 'd', width: undefined, density: 2 },
    { url: 'e', width: 100, density: 1 },
  ])
})

describe('the largest', () => {
  test.each([
    ['a 100w, b 300w, c 200w', 'src', 'b'],
    ['a 1.5x, b 2x', 'src', 'b'],
    ['a 0.5x', 'src', 'src'],
    ['a', 'src', 'src'],
    ['a, b 3x', undefined, 'b'],
    ['a 100w', undefined, 'a'],
    ['', 'src', 'src'],
    ['', undefined, undefined],
  ])('of %j beside %j is %j', (srcset, src, expected) => {
    expect(largestCandidate(srcset, src)).toBe(expected)
  })
})

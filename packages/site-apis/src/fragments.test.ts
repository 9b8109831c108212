import { expect, test } from 'vitest'

import { fragmentSource, readFragment } from './fragments.ts'

function read(learnedFrom: string, html = learnedFrom) {
  const source = fragmentSource(learnedFrom)
  return source && readFragment(html, source)
}

const lamps = [
  ['Amber', '10'],
  ['Basalt', '11'],
  ['Cobalt', '12'],
  ['Dolomite', '13'],
] as const
const list = (card: (name: string, price: string) => string, some: readonly (readonly [string, string])[] = lamps) =>
  some.map(([name, price]) => card(name, price)).join('\n')

const nested = (name: string, price: string) => `<div><div>${name}</div><div>${price} euros</div></div>`
const items = [
  { div: 'Amber', div2: '10 euros' },
  { div: 'Basalt', div2: '11 euros' },
  { div: 'Cobalt', div2: '12 euros' },
  { div: 'Dolomite', div2: '13 euros' },
]

test('elements inside of an item are not items', () => {
  expect(read(`<div>${list(nested)}</div>`)).toEqual(items)
  expect(read(list(nested))).toEqual(items)
})

test('a wrapper of the list is not an item, even with the class of an item', () => {
  const card = (name: string, price: string) => `<div class="box"><b>${name}</b><i>${price}</i></div>`
  const found = lamps.map(([b, i]) => ({ b, i }))
  expect(read(`<div class="box">${list(card)}</div>`)).toEqual(found)
})

test('a page with fewer items than an item has elements is read as the same list', () => {
  const page = (some: Parameters<typeof list>[1]) => `<section>${list(nested, some)}</section>`
  expect(read(page(lamps), page(lamps.slice(0, 1)))).toEqual(items.slice(0, 1))
})

test('items of several rows are read together', () => {
  const card = (name: string) => `<p class="card"><b>${name}</b></p>`
  const row = (some: Parameters<typeof list>[1]) => `<div class="row">${list(card, some)}</div>`
  const html = `${row(lamps.slice(0, 3))}${row(lamps.slice(3))}`
  expect(read(html)).toEqual(lamps.map(([b]) => ({ b })))
})

test('strings without a class are told apart by their position, also below a wrapper', () => {
  const card = (name: string, price: string) =>
    `<li><span><span>${name}</span></span><span><span>New</span><span>${price}</span></span></li>`
  expect(read(`<ul>${list(card)}</ul>`)).toEqual(lamps.map(([span, span3]) => ({ span, span2: 'New', span3 })))
})

test('of strings with the same class, the first is read', () => {
  const card = (name: string, price: string) =>
    `<li><span class="tag">${name}</span><span class="tag">${price}</span><a href="/${name}">More</a></li>`
  expect(read(`<ul>${list(card)}</ul>`)).toEqual(lamps.map(([tag]) => ({ tag, a: 'More', link: `/${tag}` })))
})

test('a list below many elements is found', () => {
  const html = `${'<div>'.repeat(60)}${list((name) => `<p class="card"><b>${name}</b></p>`)}`
  expect(read(html)).toEqual(lamps.map(([b]) => ({ b })))
})

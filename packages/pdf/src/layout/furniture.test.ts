import { expect, test } from 'vitest'

import { item, page } from '../../test/items.ts'
import { withoutFurniture } from './furniture.ts'

const left = (pages: Parameters<typeof withoutFurniture>[0]): string[] =>
  withoutFurniture(pages).map(({ items }) => items.map(({ text }) => text).join(' '))

test('titles that repeat at the top and numbers at the foot go, and the text stays', () => {
  const pages = [1, 2, 3, 4].map((number) =>
    page(number, [
      item('A book', 50, 30),
      item(`text ${number}`, 50, 120),
      item('goes on', 50, 132),
      item(`- ${number + 7} -`, 300, 770),
    ]),
  )
  expect(left(pages)).toEqual([1, 2, 3, 4].map((number) => `text ${number} goes on`))
})

test('a title that changes goes with the page number beside it', () => {
  const names = ['Legs', 'Eyes', 'Webs', 'Food']
  const pages = names.map((name, index) =>
    page(index + 1, [item(name, 50, 30), item(`${index + 11}`, 500, 30), item(`about ${name}`, 50, 120)]),
  )
  expect(left(pages)).toEqual(names.map((name) => `about ${name}`))
})

test('a line that repeats inside the text stays', () => {
  const pages = [1, 2, 3].map((number) => page(number, [item('See below.', 50, 300), item(`text ${number}`, 50, 312)]))
  expect(left(pages)).toEqual(['See below. text 1', 'See below. text 2', 'See below. text 3'])
})

test('the one page of a letter keeps its head', () => {
  expect(left([page(1, [item('Dear reader', 50, 60), item('a letter', 50, 120)])])).toEqual(['Dear reader a letter'])
})

test('a title goes with the Roman number beside it too', () => {
  const pages = ['iv', 'v', 'vi'].map((number, index) =>
    page(index + 1, [item('A book', 50, 30), item(number, 500, 30), item(`text ${index}`, 50, 200)]),
  )
  expect(left(pages)).toEqual(['text 0', 'text 1', 'text 2'])
})

test('the first and the last row of a table at the edges of each page stay', () => {
  const row = (y: number, ...texts: readonly string[]) => texts.map((text, at) => item(text, 50 + at * 100, y))
  const pages = [1, 2, 3].map((number) =>
    page(number, [
      ...row(40, 'Name', 'Legs', 'Eyes'),
      ...row(60, `Opilio ${number}`, '8', '2'),
      ...row(720, `Mitopus ${number}`, '8', '2'),
      ...row(740, `Sabacon ${number}`, '8', '2'),
    ]),
  )
  expect(withoutFurniture(pages).map(({ items }) => items.length)).toEqual([12, 12, 12])
})

test('the number of one or two pages in the middle of the foot goes, and other numbers stay', () => {
  const read = (number: string, x = 306 - number.length * 2.5, y = 740) =>
    left([page(1, [item('A letter', 50, 120), item('ends.', 50, 132), item(number, x, y)])])
  for (const number of ['1', '- 1 -', 'Page 1 of 2', '1/2']) expect(read(number)).toEqual(['A letter ends.'])
  for (const number of ['7', '1 apple', 'Page two']) expect(read(number)).toEqual([`A letter ends. ${number}`])
  expect(read('1', 50)).toEqual(['A letter ends. 1'])
  expect(read('1', 303, 144)).toEqual(['A letter ends. 1'])
})

test('a title or a caption that ends with the number of its page stays in files of one or two pages', () => {
  const words = [item('A letter', 50, 120), item('ends.', 50, 132)]
  const centred = (text: string, y: number) => item(text, 306 - text.length * 2.5, y)
  for (const title of ['Week 1', 'Lesson 1', 'Part 1/2', 'Page 1', '1'])
    expect(left([page(1, [centred(title, 40), ...words])])).toEqual([`${title} A letter ends.`])
  for (const caption of ['Figure 1', 'Table 1', 'Total 1', '$ 1', '1 am 5'])
    expect(left([page(1, [...words, centred(caption, 740)])])).toEqual([`A letter ends. ${caption}`])
  for (const number of ['Seite 1 von 2', 'p. 1', 'P\u00e1gina 1 de 2', '\u0441\u0442\u0440. 1'])
    expect(left([page(1, [...words, centred(number, 740)])])).toEqual(['A letter ends.'])
})

import { expect, test } from 'vitest'

import { allWidths } from './media.ts'
import { rulesOf } from './rules.ts'

const hid = '.hid{display:none}'
const selectorsOf = (...sheets: readonly string[]): readonly string[] =>
  rulesOf(sheets.map((css) => ({ css, widths: allWidths }))).all.map(({ selector }) => selector)

test('a sheet with the text of two does not have their rules', () => {
  const red = '.zz{color:red}'
  const one = ['\n', ''].map((between) => `${red}${between}${allWidths} ${hid.length} ${hid}`)
  one.push(`${red}\n${allWidths} ${hid}`)
  for (const css of one) {
    expect(selectorsOf(css)[1]).not.toBe('.hid')
    expect(selectorsOf(red, hid)).toEqual(['.zz', '.hid'])
  }
})

test('the same sheets are read once', () => {
  const sheets = [{ css: hid, widths: allWidths }]
  expect(rulesOf([...sheets])).toBe(rulesOf([...sheets]))
})

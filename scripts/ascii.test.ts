import { expect, test } from 'vitest'

import { toAscii } from './ascii.ts'

const evaluate = async (code: string): Promise<unknown> =>
  ((await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as { default: unknown })
    .default

test.each([
  ['strings', String.raw`'é \… \\… 😀\u00e9'`],
  ['templates', '`“${1 + 1}” \\…`'],
  ['raw templates', 'String.raw`\\d–${`é${String.raw`ü\\n`}`}\\\\😀\\s`'],
  ['regular expressions', String.raw`'a–é😀 '.replace(/[–-—é]|😀/gu, '$&$&') + /(?<größe>\–)/.exec('–').groups.größe`],
  ['names', 'Object.keys({ größe: 1, 名: 2 }).join()'],
  [
    'names beyond the Basic Multilingual Plane',
    '(() => { const 𠮷a = { 𠮷b: 1 }; return [Object.keys(𠮷a).join(), 𠮷a.𠮷b] })()',
  ],
])('%s have the same value in ASCII', async (_, expression) => {
  const code = `// “Comment”\nexport default ${expression}`
  const ascii = toAscii(code)
  expect(ascii).toMatch(/^[\0-\x7F]*$/)
  expect(await evaluate(ascii)).toEqual(await evaluate(code))
})

test('a module in ASCII is unchanged', () => {
  const code = String.raw`export default '\u00e9'`
  expect(toAscii(code)).toBe(code)
})

test('a raw template with an escaped character is refused', () => {
  expect(() => toAscii('export default String.raw`\\–`')).toThrow('Remove the backslash')
})

test('a template of another tag is refused if it has a character outside ASCII, because its raw strings would differ', () => {
  expect(() => toAscii('const tag = ({ raw }) => raw[0]; export default tag`–`')).toThrow('The template of the tag tag')
  expect(toAscii('const tag = ({ raw }) => raw[0]; export default tag`a` + "–"')).toContain('tag`a` + "\\u2013"')
})

test('a module that is not valid in ASCII is refused', () => {
  expect(() => toAscii("export default 1 +\u00a0'–'")).toThrow('not valid')
})

test('a line separator is refused outside a string, where its escape would not end a line', () => {
  expect(() => toAscii("// a comment\u2028export default '–'")).toThrow('outside a string')
  expect(toAscii("export default '\u2028'")).toBe(String.raw`export default '\u2028'`)
})

test('a string that continues after a backslash and a line separator is refused, because its value would differ', () => {
  expect(() => toAscii("export default 'a\\\u2028b'")).toThrow('continues a string')
})

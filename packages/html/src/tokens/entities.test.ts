import { expect, test } from 'vitest'
import { decode } from './entities.ts'

test.each([
  ['no sign at all', 'no sign at all'],
  ['a &amp; b &lt;c&gt; &quot;d&quot;', 'a & b <c> "d"'],
  ['&nbsp;&mdash;&rsquo;', '\u00A0—’'],
  ['&#65;&#x42;&#X43', 'ABC'],
  ['&#128;&#0;&#x110000;&#xD800;', '€���'],
  ['&notin; &not; &notit;', '∉ ¬ ¬it;'],
  ['&copy &copyx &ampx', '© ©x &x'],
  ['&nope; &; & && &#; &#x;', '&nope; &; & && &#; &#x;'],
  ['&NotEqualTilde;', '\u2242\u0338'],
  ['&amp=1', '&=1'],
])('the text %j reads %j', (text, expected) => {
  expect(decode(text, 'text')).toBe(expected)
})

test.each([
  ['?a=1&copy=2&amp;b=3', '?a=1&copy=2&b=3'],
  ['?a&copyx', '?a&copyx'],
  ['a&copy', 'a©'],
  ['&copy;=1', '©=1'],
  ['&lt;b&gt;', '<b>'],
  ['&times=3&times;', '&times=3×'],
])('in the value %j only a whole reference counts: %j', (value, expected) => {
  expect(decode(value, 'value')).toBe(expected)
})

test('a reference means the same the second time', () => {
  expect([decode('&zwnj;x', 'text'), decode('&zwnj;x', 'text')]).toEqual(['\u200Cx', '\u200Cx'])
})

import { expect, test } from 'vitest'

import { plainText } from './snippet.ts'

test('plain text has no images, formatting and URLs of links', () => {
  const markdown =
    '# A *lamp*\n\n\n- ![a [b] picture](x.png) [its `page`](https://a.example/?a[]=1 "Title")  and\u00A0\u00A0[![i](i.png)](/b) [plain]'
  expect(plainText(markdown)).toBe('A lamp\n![a [b] picture](x.png) its page and [plain]')
})

test.each(['[', '[](', '![](', '\u00A0', '[a]('])('plain text of millions of %j is made in linear time', (part) => {
  const text = part.repeat(Math.ceil(5_000_000 / part.length))
  expect(plainText(text).length).toBeLessThanOrEqual(text.length)
})

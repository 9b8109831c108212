import { makeBase } from '../../addresses/urls.ts'
import type { Case } from './case.ts'

/** Images. */
export const images: readonly Case[] = [
  {
    name: 'an image is its text and its address',
    html: '<p><img src="/a.png" alt="A cat"></p>',
    markdown: '![A cat](/a.png)',
  },
  {
    name: 'an image without text',
    html: '<p><img src="/a.png"></p>',
    markdown: '![](/a.png)',
  },
  {
    name: 'a title is kept',
    html: '<p><img src="/a.png" alt="A" title="Cat"></p>',
    markdown: '![A](/a.png "Cat")',
  },
  {
    name: 'a title that repeats the text is dropped',
    html: '<p><img src="/a.png" alt="Cat" title="Cat"></p>',
    markdown: '![Cat](/a.png)',
  },
  {
    name: 'brackets and signs in the text are escaped',
    html: '<p><img src="/a.png" alt="a [b] *c* `d`"></p>',
    markdown: '![a \\[b\\] \\*c\\* \\`d\\`](/a.png)',
  },
  {
    name: 'line breaks in the text are spaces',
    html: '<p><img src="/a.png" alt="one\n  two"></p>',
    markdown: '![one two](/a.png)',
  },
  {
    name: 'an image without address is nothing',
    html: '<p>a<img alt="x">b</p>',
    markdown: 'ab',
  },
  {
    name: 'an address is resolved',
    html: '<p><img src="img/a.png" alt="a"></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown: '![a](https://site.test/a/img/a.png)',
  },
  {
    name: 'a written-out image is kept',
    html: '<p><img src="data:image/png;base64,AAAA" alt="a"></p>',
    markdown: '![a](data:image/png;base64,AAAA)',
  },
  {
    name: 'a written-out image is removed on demand',
    html: '<p><img src="data:image/png;base64,AAAA" alt="a"></p>',
    options: { removeBase64Images: true },
    markdown: '![a](<Base64-Image-Removed>)',
  },
  {
    name: 'an image in words is kept when written-out ones are removed',
    html: '<p><img src="/a.png" alt="a"> <img src="data:image/svg+xml,%3Csvg%3E" alt="b"></p>',
    options: { removeBase64Images: true },
    markdown: '![a](/a.png) ![b](data:image/svg+xml,%3Csvg%3E)',
  },
  {
    name: 'the largest candidate by width',
    html: '<img src="/s.png" srcset="/m.png 640w, /l.png 1280w, /s.png 320w" alt="a">',
    markdown: '![a](/l.png)',
  },
  {
    name: 'the largest candidate by density, the source counts as one',
    html: '<img src="/1.png" srcset="/2.png 2x" alt="a">',
    markdown: '![a](/2.png)',
  },
  {
    name: 'candidates smaller than the source do not replace it',
    html: '<img src="/1.png" srcset="/0.png 0.5x" alt="a">',
    markdown: '![a](/1.png)',
  },
  {
    name: 'commas inside addresses of candidates',
    html: '<img srcset="/a,b.png 1x, /c,d.png 2x" alt="a">',
    markdown: '![a](/c,d.png)',
  },
  {
    name: 'a placeholder gives way to what a script would load',
    html: '<img src="data:image/gif;base64,R0" data-src="/real.png" alt="a">',
    markdown: '![a](/real.png)',
  },
  {
    name: 'a missing source gives way to what a script would load',
    html: '<img data-original="/real.png" alt="a">',
    markdown: '![a](/real.png)',
  },
  {
    name: 'candidates for a script to load',
    html: '<img src="data:image/gif;base64,R0" data-srcset="/a.png 1x, /b.png 2x" alt="a">',
    markdown: '![a](/b.png)',
  },
  {
    name: 'a picture element is its image',
    html: '<picture><source srcset="/a.webp"><img src="/a.png" alt="a"></picture>',
    markdown: '![a](/a.png)',
  },
  {
    name: 'images side by side',
    html: '<p><img src="/a.png" alt="a"><img src="/b.png" alt="b"></p>',
    markdown: '![a](/a.png)![b](/b.png)',
  },
]

// Elements that leave a hidden ancestor when the HTML is parsed: a script can put a `div` into a `p`, but its start tag closes the `p`.
import { spend } from './hidden-budget.ts'
import { findIn } from './nodes.ts'

const blocks =
  'address,article,aside,blockquote,center,details,dialog,dir,div,dl,fieldset,figcaption,figure,footer,form,h1,h2,h3,h4,h5,h6,' +
  'header,hgroup,hr,li,dd,dt,listing,main,menu,nav,ol,p,plaintext,pre,search,section,summary,table,ul,xmp'
const cells = ':not(table,thead,tbody,tfoot,tr)>:is(caption,colgroup,col,tbody,td,tfoot,th,thead,tr)'
const others = 'script,style,template'
const inTable =
  `table>:not(caption,colgroup,thead,tbody,tfoot,tr,${others}),:is(thead,tbody,tfoot)>:not(tr,${others}),` +
  `tr>:not(td,th,${others})`
const items = ':not(dl,div)>:is(dd,dt)'

/** For elements by name: the elements inside whose start tags close them or move out of them. */
const closing: Readonly<Record<string, string>> = {
  p: blocks,
  a: 'a',
  button: 'button',
  li: ':not(ul,ol,menu,dir)>li',
  dd: items,
  dt: items,
  table: inTable,
  thead: inTable,
  tbody: inTable,
  tfoot: inTable,
  tr: inTable,
  td: cells,
  th: cells,
  caption: cells,
}
// Start tags inside these elements do not close elements around them.
const barriers = new Set('table td th caption object marquee'.split(' '))

/** Returns the selector of elements that close the element or one around it. `above`: the same for its parent. */
export function closersIn(name: string, above: string): string {
  const own = Object.hasOwn(closing, name) ? (closing[name] ?? '') : ''
  if (above === '' || barriers.has(name)) return own
  return own === '' || above.includes(own) ? above : `${above},${own}`
}

/** Returns whether elements may leave the element. */
export function mayLose(element: Element, closers: string): boolean {
  if (closers === '') return false
  spend()
  return findIn(element, closers) !== null
}

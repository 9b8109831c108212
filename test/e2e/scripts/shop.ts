// A shop whose page changes: as it was recorded, and as it is afterwards.
import { createServer } from 'node:http'

export type Look =
  | 'as it was'
  | 'other classes and order'
  | 'other words'
  | 'two that fit'
  | 'nothing happens'
  | 'goods by name'

export interface Shop {
  readonly origin: string
  look: Look
  close(): void
}

const script = `
  globalThis.say = (text) => { document.querySelector('output').innerHTML = '<h2>' + text + '</h2>' }
  addEventListener('submit', (event) => {
    if (event.target.hasAttribute('action')) return
    event.preventDefault()
    const { who, pin, size } = event.target.elements
    if (event.submitter.name !== 'order') return say('Wrong button')
    say('Ordered ' + size.value + ' for ' + who.value + (pin.value ? ' with a pin' : ''))
  })
  addEventListener('click', ({ target }) => {
    if (target.matches('.buy')) say('Bought ' + target.closest('li').firstChild.textContent.trim())
  })`

const fields = [
  '<label>Name <input name=who id=who></label>',
  '<label>PIN <input name=pin id=pin type=password></label>',
  '<label>Size <select name=size id=size><option>Small</option><option>Large</option></select></label>',
]
const send = '<button name=order id=send class=go data-testid=order>Order now</button>'
const help = '<button name=help id=help type=submit>Help</button>'

function form(look: Look): string {
  if (look === 'other classes and order') {
    const moved = fields.toReversed().map((one) => `<div class=w7>${one.replaceAll(/ id=\w+/g, ' id=f-new')}</div>`)
    return `<form><div>${help}</div>${moved.join('')}<p><span>${send.replace('class=go', 'class=k9')}</span></p></form>`
  }
  const all = fields.join('')
  if (look === 'other words') return `<form>${all}${send.replace('Order now', 'Buy')}${help}</form>`
  if (look === 'two that fit') {
    return `<form>${all}<button>Order now</button><button>Order now</button>${help}</form>`
  }
  const broken = look === 'nothing happens' ? send.replace('name=order', 'name=order type=button') : send
  return `<form>${all}${broken}${help}</form>`
}

const goods = (some: readonly string[]): string =>
  `<ul>${some.map((name) => `<li>${name} <button class=buy>Buy</button></li>`).join('')}</ul>`

/** A form with one button that nothing names but its words. */
function plain(look: Look): string {
  const more = look === 'two that fit' ? '<button formaction=/deleted>Delete</button>' : ''
  return `<form action=/ordered><button>${look === 'as it was' ? 'Order' : 'Buy'}</button>${more}</form>`
}

/** Forms of which each is in a frame of its own. */
function framed(look: Look): string {
  const frame = (title: string, more = '') =>
    `<p>${title}</p><iframe src=/order title="${title}" style="width:500px;height:200px;border:7px solid;padding:11px" ${more}></iframe>`
  const all = [frame('For you'), frame('As a present')]
  if (look === 'two that fit') return frame('For her') + frame('For him')
  return (look === 'as it was' ? all : [frame('Other'), ...all.toReversed()]).join('')
}

/** A button that another element comes to lie over: its middle, or all of it. */
function coveredBy(look: Look): string {
  const inset = look === 'as it was' ? '30px 0 0' : look === 'other classes and order' ? '5px 60px' : '0'
  return `<ul><li>Pen <div style="position:relative;width:200px;height:60px">
    <button class=buy style="position:absolute;width:200px;height:30px">Buy</button>
    <div style="position:absolute;inset:${inset};background:red"></div></div></ul>`
}

/** A page that opens others in tabs of their own. */
function opening(look: Look): string {
  const link = (text: string, more = '') => `<a href=/receipt target=_blank ${more}>${text}</a>`
  // Later than the other one, as on a busy machine.
  const both = look === 'two that fit' ? ` onclick="setTimeout(() => window.open('/receipt'), 200)"` : ''
  const twice = look === 'other words' ? ` onclick="window.open('/plain')"` : ''
  const broken =
    look === 'nothing happens' ? link('Receipt').replace('href=/receipt', 'href=#').replace('_blank', '_self') : ''
  return `${broken || link('Receipt', both + twice)} <button onclick="window.open('/choice')">Choose</button> <button onclick="say('Sent')">Send</button>`
}

const choice = `<button onclick="opener.say('Chosen red'); window.close()">Red</button>`

/** Goods of which each has a page that opens in a tab. */
const shelf = ['Pen', 'Cup', 'Hat'].map((name) => `<a href=/receipt/${name} target=_blank>${name}</a>`).join(' ')

/** A form with ids and names that our own scripts, or properties of elements, have. */
const ownNames = `<form><input type=hidden name=title><label id=eyes>Name <input name=who id=harvestmanInspector></label>
  <button name=order id=harvestmanListeners>Order now</button><i id=ears></i><input type=hidden name=pin><input type=hidden name=size></form>`

function bodyOf(path: string, look: Look): string {
  if (path.startsWith('/opening')) return opening(look)
  if (path.startsWith('/shelf')) return shelf
  if (path.startsWith('/receipt')) return '<button onclick="say(\'Kept\')">Keep</button>'
  if (path.startsWith('/choice')) return look === 'nothing happens' ? choice.replace('window.close()', '') : choice
  if (path.startsWith('/goods'))
    return goods(look === 'as it was' ? ['Pen', 'Cup', 'Hat'] : ['Hat', 'Rug', 'Pen', 'Map'])
  if (path.startsWith('/plain')) return plain(look)
  if (path.startsWith('/own-names')) return ownNames
  if (path.startsWith('/covered')) return coveredBy(look)
  if (path.startsWith('/nested')) return '<iframe src=/inner name=outer></iframe>'
  if (path.startsWith('/inner')) return '<iframe src=/plain name=inner></iframe>'
  if (path.startsWith('/framed')) return framed(look)
  return path.startsWith('/ordered') ? '<h2>Ordered</h2>' : form(look)
}

export async function openShop(): Promise<Shop> {
  const shop = { look: 'as it was' as Look }
  const server = createServer((request, response) => {
    const body = bodyOf(request.url ?? '/', shop.look)
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${body}<output></output><script>${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return Object.assign(shop, { origin: `http://127.0.0.1:${port}`, close: () => void server.close() })
}

// The tab bar of the browser, and the URL of the active tab.
import { fit } from './picture.ts'
import { elements, send, view } from './view.ts'

interface Tab {
  readonly id: string
  readonly url: string
  readonly title?: string
  readonly isShown: boolean
}

const { address, canvas, tabs } = elements
let front = ''

/** Shows the tabs. A single tab has no tab bar. */
export function showTabs({ tabs: all }: { readonly tabs: readonly Tab[] }): void {
  const first = all.find((tab) => tab.isShown)
  if (first) front = first.url
  if (document.activeElement !== address) address.value = front
  document.title = first?.title ? `${first.title} – live view` : 'Live view'
  tabs.replaceChildren(...(all.length < 2 ? [] : all.map(buttonOf)))
  tabs.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  fit()
}

function buttonOf({ id, title, url, isShown }: Tab): HTMLButtonElement {
  const button = document.createElement('button')
  button.role = 'tab'
  button.ariaSelected = String(isShown)
  button.textContent = title || url
  button.title = button.textContent
  button.ariaDisabled = String(!view.mayAct)
  button.addEventListener('click', () => send({ type: 'tab', id }))
  return button
}

/** Opens the URL that the user types into the URL bar. */
export function listenToUrlBar(): void {
  address.addEventListener('keydown', (event) => {
    if (!view.mayAct || !['Enter', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Enter') {
      front = address.value.trim()
      send({ type: 'goto', url: front })
    }
    canvas.focus()
  })
  address.addEventListener('focus', () => address.select())
  address.addEventListener('blur', () => {
    address.value = front
  })
}

// Cookie notices: finds, answers and removes them.
import type { AnyElement } from '../../ports/page/elements.ts'
import { consentTools } from './consent-tools.ts'

// Labels of buttons that refuse, for notices of unknown tools, in the most common languages of the web.
const no =
  /reject|decline|refuse|deny|disagree|no,? thanks|only (?:necessary|essential|required)|(?:necessary|essential|required) (?:cookies )?only|continue without|ablehnen|nur (?:notwendige|erforderliche|essenzielle)|verweigern|refuser|continuer sans|rechazar|solo (?:las )?necesarias|denegar|rifiuta|solo necessari|recusar|rejeitar|apenas (?:os )?necess|weigeren|afwijzen|alleen noodzakelijke|odrzu|odmów|avvisa|neka|endast nödvändiga|afvis|kun nødvendige|avslå|hylkää|vain välttämättömät|odmítnout|elutasít|respinge|отклонить|reddet|απόρριψη|拒否|拒绝|拒絕|거부|رفض/i
const yes =
  /accept|agree|allow|got it|i understand|\bok\b|okay|akzeptieren|annehmen|zustimmen|zulassen|erlauben|einverstanden|verstanden|accepter|autoriser|aceptar|permitir|accetta|consenti|aceitar|accepteren|toestaan|akkoord|akceptuj|zgadzam|zezwól|godkänn|acceptera|tillåt|tillad|godta|hyväksy|přijmout|souhlas|elfogad|принять|согласен|разрешить|kabul|αποδοχή|同意|許可|接受|동의|허용|수락|موافق|قبول/i
/** Terms that occur in the text of cookie notices. */
const words =
  /cookie|consent|gdpr|privacy|datenschutz|personenbezogen|confidentialit|données personnelles|privacidad|datos personales|dati personali|ciastecz|kakor|informasjonskapsler|evästee|süti|куки|çerez|隐私|隱私|プライバシー|クッキー|쿠키|개인정보|ملفات تعريف الارتباط/i
const maxButtonText = 40

const suspects = `${['cookie', 'consent', 'gdpr'].map((word) => `[id*="${word}" i],[class*="${word}" i]`).join(',')},dialog[open],[role="dialog"]`
const noticeFrames = ['title', 'id', 'name', 'src']
  .map((name) => `iframe[${name}*="consent" i],iframe[${name}*="cookie" i]`)
  .join(',')
const anyTool = consentTools.map(([notice]) => notice).join(',')
/** Elements that can be clicked, except links to other pages. */
const pressable =
  'button,[role="button"],input[type="button"],input[type="submit"],a:not([href]),a[href^="#"],a[href^="javascript:" i],[onclick]'
const modal = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]'

const maxButtons = 400
const maxSuspects = 200
const maxFrames = 20

const textOf = (element: AnyElement): string =>
  (element.textContent || element.value || element.getAttribute('aria-label') || '').trim()

function isAnswer(element: Element): boolean {
  const text = textOf(element)
  return text.length <= maxButtonText && (no.test(text) || yes.test(text))
}

function answersIn(root: ParentNode): Element[] {
  const found: Element[] = []
  const all = root.querySelectorAll(pressable)
  for (let index = 0; index < all.length && index < maxButtons; index += 1) {
    const element = all[index]
    if (element && isAnswer(element)) found.push(element)
  }
  return found
}

function covers(element: Element): boolean {
  const { position } = getComputedStyle(element)
  return position === 'fixed' || position === 'sticky' || element.matches(modal)
}

const isRoot = (element: Element): boolean => element === document.body || element === document.documentElement

function overlayOf(element: Element): AnyElement | null {
  for (let at: Element | null = element; at && !isRoot(at); at = at.parentElement) if (covers(at)) return at
  return null
}

const hasOverlay = (element: Element): boolean => overlayOf(element) !== null

/**
 * Returns whether something looks like a cookie notice: a known tool, a typical name, or a button with a typical text in an
 * overlay.
 */
export function hasNotice(): boolean {
  if (document.querySelector(`${anyTool},${suspects},${noticeFrames}`)) return true
  return answersIn(document).some(hasOverlay)
}

const isSeen = (element: Element): boolean => element.getClientRects().length > 0

function answer(root: Element): void {
  const buttons: AnyElement[] = answersIn(root).filter(isSeen)
  const button = buttons.find((one) => no.test(textOf(one))) ?? buttons[0]
  button?.click?.()
}

function isNotice(element: AnyElement): boolean {
  if (isRoot(element) || !isSeen(element) || !covers(element)) return false
  const text = (element.innerText || '').slice(0, 5000)
  return text.length < 4000 && words.test(text) && answersIn(element).some(isSeen)
}

function closeTools(): boolean {
  if (!document.querySelector(anyTool)) return false
  for (const [notice, refusal] of consentTools)
    for (const element of document.querySelectorAll(notice)) {
      const button: AnyElement | null = refusal ? (element.shadowRoot ?? element).querySelector(refusal) : null
      button?.click?.()
      element.remove()
    }
  return true
}

function closeOverlays(): boolean {
  let isFound = false
  const candidates = new Set<AnyElement | null>([...document.querySelectorAll(suspects)].slice(0, maxSuspects))
  for (const element of answersIn(document)) candidates.add(overlayOf(element))
  for (const element of candidates) {
    if (!element?.isConnected || !isNotice(element)) continue
    isFound = true
    answer(element)
    element.remove()
  }
  return isFound
}

function closeFrames(): boolean {
  let isFound = false
  for (const frame of [...document.querySelectorAll(noticeFrames)].slice(0, maxFrames)) {
    const overlay = overlayOf(frame)
    if (!overlay || (overlay.innerText || '').length > 1000) continue
    isFound = true
    overlay.remove()
  }
  return isFound
}

function freeScrolling(): void {
  for (const element of [document.documentElement, document.body] as readonly (HTMLElement | null)[]) {
    if (!element) continue
    const isClipped = /hidden|clip/.test(getComputedStyle(element).overflowY)
    if (isClipped) element.style.setProperty('overflow', 'auto', 'important')
    if (getComputedStyle(element).position === 'fixed') element.style.setProperty('position', 'static', 'important')
  }
}

/** Refuses a cookie notice if possible, otherwise accepts it, and removes what remains of it. Returns whether there was one. */
export function closeBanners(): boolean {
  const isFound = [closeTools(), closeOverlays(), closeFrames()].includes(true)
  if (isFound) freeScrolling()
  return isFound
}

import type { PageScript } from './worlds.ts'

// Where the well-known consent tools put their notice, and what says no in it.
const tools: readonly (readonly [notice: string, no: string])[] = [
  ['#onetrust-consent-sdk', '#onetrust-reject-all-handler, .ot-pc-refuse-all-handler'],
  [
    '#CybotCookiebotDialog',
    '#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll',
  ],
  ['#didomi-host', '#didomi-notice-disagree-button, .didomi-continue-without-agreeing'],
  [
    '#qc-cmp2-container, .qc-cmp2-container',
    '#disagree-btn, .qc-cmp2-summary-buttons button[mode="secondary"]:nth-of-type(2), .qc-cmp2-summary-buttons button[mode="secondary"]',
  ],
  ['#usercentrics-root, #usercentrics-cmp-ui', '[data-testid="uc-deny-all-button"], [data-action-type="deny"], #deny'],
  [
    '#truste-consent-track, .truste_popframe, .truste_overlay, .truste_box_overlay, .trustarc-banner-container',
    '#truste-consent-required',
  ],
  ['div[id^="sp_message_container"], #sp_privacy_manager_container', ''],
  ['.fc-consent-root', '.fc-cta-do-not-consent'],
  ['#cookiescript_injected, #cookiescript_injected_wrapper', '#cookiescript_reject'],
  ['.cky-consent-container, .cky-overlay', '.cky-btn-reject'],
  ['#cmplz-cookiebanner-container, .cmplz-cookiebanner', '.cmplz-deny'],
  ['#BorlabsCookieBox, #BorlabsCookieBoxWrap', '[data-cookie-refuse], .brlbs-btn-accept-only-essential'],
  ['#iubenda-cs-banner', '.iubenda-cs-reject-btn'],
  ['.osano-cm-window', '.osano-cm-denyAll, .osano-cm-deny'],
  ['.klaro > .cookie-notice, .klaro > .cookie-modal', '.cn-decline, .cm-btn-decline'],
  ['#cc-main, #cc--main', '[data-role="necessary"], #s-rej-bn, #c-s-bn'],
  ['#tarteaucitronRoot', '#tarteaucitronAllDenied2, .tarteaucitronDeny'],
  ['#axeptio_overlay, .axeptio_mount', '#axeptio_btn_dismiss'],
  ['#cmpbox, #cmpbox2, #cmpwrapper', '#cmpwelcomebtnno a, .cmpboxbtnno'],
  ['.cc-window.cc-banner, .cc-window', '.cc-deny, .cc-dismiss'],
  ['#cookie-law-info-bar', '#cookie_action_close_header_reject, .cli_action_button'],
  ['#moove_gdpr_cookie_info_bar', '.moove-gdpr-infobar-reject-btn'],
  ['#hs-eu-cookie-confirmation', '#hs-eu-decline-button'],
  ['#ppms_cm_popup_overlay, .ppms_cm_popup_overlay', '.ppms_cm_reject-all'],
  ['#cookiefirst-root, .cookiefirst-root', '[data-cookiefirst-action="reject"]'],
  ['#termly-code-snippet-support', '[data-tid="banner-decline"]'],
  ['#shopify-pc__banner', '#shopify-pc__banner__btn-decline'],
  ['#cookie-information-template-wrapper, #coiOverlay', '#coiPage-1 .coi-banner__lastpage, #declineButton'],
  ['.cookie-consent-banner-opengdpr, #gdpr-cookie-message', '#gdpr-cookie-decline'],
  ['#transcend-consent-manager', ''],
  ['.evidon-banner, #_evidon_banner', '#_evidon-decline-button'],
  ['#consent_blackbar, #trustarc-banner-overlay', '#truste-consent-required'],
  ['#CookieConsent, #cookieConsentContainer', '.cookieConsentDecline'],
  ['tp-yt-iron-overlay-backdrop, ytd-consent-bump-v2-lightbox', ''],
]

// Words on the buttons of notices that no tool of the list made, in the languages of most of the web.
const no =
  /reject|decline|refuse|deny|disagree|no,? thanks|only (?:necessary|essential|required)|(?:necessary|essential|required) (?:cookies )?only|continue without|ablehnen|nur (?:notwendige|erforderliche|essenzielle)|verweigern|refuser|continuer sans|rechazar|solo (?:las )?necesarias|denegar|rifiuta|solo necessari|recusar|rejeitar|apenas (?:os )?necess|weigeren|afwijzen|alleen noodzakelijke|odrzu|odmów|avvisa|neka|endast nödvändiga|afvis|kun nødvendige|avslå|hylkää|vain välttämättömät|odmítnout|elutasít|respinge|отклонить|reddet|απόρριψη|拒否|拒绝|拒絕|거부|رفض/i
const yes =
  /accept|agree|allow|got it|i understand|\bok\b|okay|akzeptieren|annehmen|zustimmen|zulassen|erlauben|einverstanden|verstanden|accepter|autoriser|aceptar|permitir|accetta|consenti|aceitar|accepteren|toestaan|akkoord|akceptuj|zgadzam|zezwól|godkänn|acceptera|tillåt|tillad|godta|hyväksy|přijmout|souhlas|elfogad|принять|согласен|разрешить|kabul|αποδοχή|同意|許可|接受|동의|허용|수락|موافق|قبول/i
/** Words of a notice, beside its buttons. */
const words =
  /cookie|consent|gdpr|privacy|datenschutz|personenbezogen|confidentialit|données personnelles|privacidad|datos personales|dati personali|ciastecz|kakor|informasjonskapsler|evästee|süti|куки|çerez|隐私|隱私|プライバシー|クッキー|쿠키|개인정보|ملفات تعريف الارتباط/i
const maxButtonText = 40

const suspects =
  ['cookie', 'consent', 'gdpr'].map((word) => `[id*="${word}" i],[class*="${word}" i]`).join(',') +
  ',dialog[open],[role="dialog"]'
const frames = ['title', 'id', 'name', 'src']
  .map((name) => `iframe[${name}*="consent" i],iframe[${name}*="cookie" i]`)
  .join(',')
/** What may be pressed. Links that lead somewhere are no answers. */
const pressable =
  'button,[role="button"],input[type="button"],input[type="submit"],a:not([href]),a[href^="#"],a[href^="javascript:" i],[onclick]'

const shared = /* js */ `
  const no = ${String(no)}, yes = ${String(yes)}
  const textOf = (element) => (element.textContent || element.value || element.getAttribute('aria-label') || '').trim()
  const isAnswer = (element) => {
    const text = textOf(element)
    return text.length <= ${maxButtonText} && (no.test(text) || yes.test(text))
  }
  const answersIn = (root) => {
    const found = []
    const all = root.querySelectorAll(${JSON.stringify(pressable)})
    for (let i = 0; i < all.length && i < 400; i++) if (isAnswer(all[i])) found.push(all[i])
    return found
  }
  const covers = (element) => {
    const { position } = getComputedStyle(element)
    return position === 'fixed' || position === 'sticky' || element.matches('dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]')
  }
  const overlayOf = (element) => {
    for (let at = element; at && at !== document.body && at !== document.documentElement; at = at.parentElement) if (covers(at)) return at
    return null
  }
`

/** Returns whether something looks like a notice: a known tool, a telling name, or a button with a telling text over the page. */
export const hasNotice: PageScript = /* js */ `() => {
  if (document.querySelector(${JSON.stringify([...tools.map(([notice]) => notice), suspects, frames].join(','))})) return true
  ${shared}
  return answersIn(document).some((element) => overlayOf(element))
}`

/**
 * Answers a cookie notice with no where it can be answered, with yes where nothing else is offered, and removes what is left
 * of it. Returns whether there was one.
 */
export const closeBanners: PageScript = /* js */ `(() => {
  ${shared}
  const tools = ${JSON.stringify(tools)}
  const anyTool = tools.map(([notice]) => notice).join(',')
  const words = ${String(words)}
  const inside = (root, selector) => (root.shadowRoot || root).querySelector(selector)
  const isSeen = (element) => element.getClientRects().length > 0
  const free = () => {
    for (const element of [document.documentElement, document.body]) {
      if (element && /hidden|clip/.test(getComputedStyle(element).overflowY)) element.style.setProperty('overflow', 'auto', 'important')
      if (element && getComputedStyle(element).position === 'fixed') element.style.setProperty('position', 'static', 'important')
    }
  }
  const answer = (root) => {
    const buttons = answersIn(root).filter(isSeen)
    const button = buttons.find((one) => no.test(textOf(one))) || buttons[0]
    if (button) button.click()
  }
  const isNotice = (element) => {
    if (element === document.body || element === document.documentElement || !isSeen(element) || !covers(element)) return false
    const text = (element.innerText || '').slice(0, 5000)
    return text.length < 4000 && words.test(text) && answersIn(element).some(isSeen)
  }
  return () => {
    let found = false
    if (document.querySelector(anyTool)) {
      for (const [notice, button] of tools) {
        for (const element of document.querySelectorAll(notice)) {
          found = true
          const way = button && inside(element, button)
          if (way) way.click()
          element.remove()
        }
      }
    }
    const candidates = new Set([...document.querySelectorAll(${JSON.stringify(suspects)})].slice(0, 200))
    for (const element of answersIn(document)) candidates.add(overlayOf(element))
    for (const element of candidates) {
      if (!element?.isConnected || !isNotice(element)) continue
      found = true
      answer(element)
      element.remove()
    }
    for (const frame of [...document.querySelectorAll(${JSON.stringify(frames)})].slice(0, 20)) {
      const overlay = overlayOf(frame)
      if (!overlay || (overlay.innerText || '').length > 1000) continue
      found = true
      overlay.remove()
    }
    if (found) free()
    return found
  }
})()`

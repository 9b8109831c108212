import type { PageScript } from './worlds.ts'

// Where the well-known consent tools put their notice, and what says no in it.
const tools: readonly (readonly [notice: string, no: string])[] = [
  ['#onetrust-consent-sdk', '#onetrust-reject-all-handler, .ot-pc-refuse-all-handler'],
  [
    '#CybotCookiebotDialog',
    '#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll',
  ],
  ['#didomi-host', '#didomi-notice-disagree-button, .didomi-continue-without-agreeing'],
  ['#qc-cmp2-container, .qc-cmp2-container', '.qc-cmp2-summary-buttons button[mode="secondary"]'],
  ['#usercentrics-root, #usercentrics-cmp-ui', '[data-testid="uc-deny-all-button"], #deny'],
  ['#truste-consent-track, .truste_overlay, .truste_box_overlay', '#truste-consent-required'],
  ['div[id^="sp_message_container"]', ''],
  ['.fc-consent-root', '.fc-cta-do-not-consent'],
  ['#cookiescript_injected, #cookiescript_injected_wrapper', '#cookiescript_reject'],
  ['.cky-consent-container, .cky-overlay', '.cky-btn-reject'],
  ['#cmplz-cookiebanner-container, .cmplz-cookiebanner', '.cmplz-deny'],
  ['#BorlabsCookieBox, #BorlabsCookieBoxWrap', '[data-cookie-refuse], .brlbs-btn-accept-only-essential'],
  ['#iubenda-cs-banner', '.iubenda-cs-reject-btn'],
  ['.osano-cm-window', '.osano-cm-denyAll, .osano-cm-deny'],
  ['#klaro .cookie-notice, .klaro .cookie-modal', '.cn-decline, .cm-btn-decline'],
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
  'reject|decline|refuse|deny|disagree|no,? thanks|only (?:necessary|essential|required)|(?:necessary|essential|required) (?:cookies )?only|continue without|' +
  'ablehnen|nur (?:notwendige|erforderliche|essenzielle)|verweigern|refuser|continuer sans|tout refuser|rechazar|solo (?:las )?necesarias|denegar|' +
  'rifiuta|solo necessari|recusar|rejeitar|apenas (?:os )?necess|weigeren|afwijzen|alleen noodzakelijke|odrzu|odmów|avvisa|neka|endast nödvändiga|' +
  'afvis|kun nødvendige|avslå|hylkää|vain välttämättömät|odmítnout|elutasít|respinge|отклонить|拒否|拒绝|거부'
const yes =
  "accept|agree|allow|got it|i understand|\\\\bok\\\\b|okay|akzeptieren|zustimmen|einverstanden|verstanden|accepter|j’accepte|j'accepte|aceptar|" +
  'accetta|aceitar|accepteren|akceptuj|zgadzam|godkänn|acceptera|accepter|godta|hyväksy|přijmout|elfogad|accept|принять|согласен|同意|동의'

const suspects =
  ['cookie', 'consent', 'gdpr'].map((word) => `[id*="${word}" i],[class*="${word}" i]`).join(',') +
  ',dialog[open],[role="dialog"]'

/** Matches everything that may be a cookie notice, and most pages nowhere. */
export const noticeSelector = [...tools.map(([notice]) => notice), suspects].join(',')

/**
 * Answers a cookie notice with no where it can be answered, with yes where nothing else is offered, and takes away what
 * is left of it. Tells whether there was one.
 */
export const closeBanners: PageScript = /* js */ `(() => {
  const tools = ${JSON.stringify(tools)}
  const anyTool = tools.map(([notice]) => notice).join(',')
  const words = /cookie|consent|gdpr|privacy|datenschutz|confidentialit|privacidad|隐私|プライバシー/i
  const no = new RegExp('${no.replaceAll("'", "\\'")}', 'i')
  const yes = new RegExp('${yes.replaceAll("'", "\\'")}', 'i')
  const inside = (root, selector) => (root.shadowRoot || root).querySelector(selector)
  const isSeen = (element) => element.getClientRects().length > 0
  const free = () => {
    for (const element of [document.documentElement, document.body]) {
      if (element && /hidden|clip/.test(getComputedStyle(element).overflowY)) element.style.setProperty('overflow', 'auto', 'important')
      if (element && getComputedStyle(element).position === 'fixed') element.style.setProperty('position', 'static', 'important')
    }
  }
  const buttonsOf = (root) => [...(root.shadowRoot || root).querySelectorAll('button, a, [role="button"], input[type="button"], input[type="submit"]')].slice(0, 40).filter(isSeen)
  const textOf = (element) => (element.innerText || element.value || element.getAttribute('aria-label') || '').trim().slice(0, 60)
  const answer = (root) => {
    const buttons = buttonsOf(root)
    const button = buttons.find((one) => no.test(textOf(one))) || buttons.find((one) => yes.test(textOf(one)))
    if (button) button.click()
  }
  const isNotice = (element) => {
    if (element === document.body || element === document.documentElement || !isSeen(element)) return false
    const { position } = getComputedStyle(element)
    const covers = position === 'fixed' || position === 'sticky' || element.matches('dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]')
    if (!covers) return false
    const text = (element.innerText || '').slice(0, 5000)
    return text.length < 4000 && words.test(text) && buttonsOf(element).some((one) => no.test(textOf(one)) || yes.test(textOf(one)))
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
    const candidates = document.querySelectorAll(${JSON.stringify(suspects)})
    for (const element of [...candidates].slice(0, 200)) {
      if (!element.isConnected || !isNotice(element)) continue
      found = true
      answer(element)
      element.remove()
    }
    if (found) free()
    return found
  }
})()`

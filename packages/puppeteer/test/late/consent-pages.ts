import type { Answer } from '../servers.ts'
import { article, pageCase, type RenderCase } from './cases.ts'

// The markup that consent tools write into a page, as far as a reader of the page can tell them apart. Each is added by a
// script after the page has loaded, as the tools do, and keeps the page behind it until it is answered or gone.

const fixed = 'position: fixed; inset: auto 0 0 0; z-index: 2147483645; background: #fff'
const page =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${text}`)

/** A page over which a script puts a notice after some milliseconds. */
function notice(
  name: string,
  html: string,
  { after = 900, path = undefined as string | undefined, frame = '', script = '' } = {},
): RenderCase {
  const source = script || `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(html)})`
  return pageCase(
    name,
    `<body><main><h1>Harbour log</h1><p>${article} ${article}</p></main><script>setTimeout(() => { ${source.replaceAll('</script', '<\\/script')} }, ${after})</script></body>`,
    { shows: article, hides: /NOTICE/, options: { waitFor: 1_500, onlyMainContent: false } },
    path === undefined ? {} : { [path]: page(frame) },
  )
}

const inShadow = (host: string, inner: string): string => `
  const host = document.createElement('div'); host.id = '${host}'; document.body.append(host)
  host.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(inner)}`

/** What twelve consent tools show. */
export const toolPages: readonly RenderCase[] = [
  notice(
    'OneTrust',
    `<div id="onetrust-consent-sdk" data-nosnippet="true"><div class="onetrust-pc-dark-filter ot-fade-in"></div><div id="onetrust-banner-sdk" class="otFlat bottom ot-wo-title" role="region" aria-label="Cookie banner" style="${fixed}"><div class="ot-sdk-container"><div id="onetrust-policy-text">NOTICE By clicking “Accept All Cookies”, you agree to the storing of cookies.</div><div id="onetrust-button-group-parent"><button id="onetrust-pc-btn-handler">Cookies Settings</button><button id="onetrust-reject-all-handler">Reject All</button><button id="onetrust-accept-btn-handler">Accept All Cookies</button></div></div></div></div>`,
  ),
  notice(
    'Cookiebot',
    `<div id="CybotCookiebotDialog" class="CybotEdge" role="dialog" lang="en" dir="ltr" aria-modal="true" style="${fixed}"><div class="CybotCookiebotScrollContainer"><h2 id="CybotCookiebotDialogBodyContentTitle">NOTICE This website uses cookies</h2><div id="CybotCookiebotDialogBodyButtons"><button id="CybotCookiebotDialogBodyButtonDecline" lang="en">Deny</button><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" lang="en">Allow all</button></div></div></div><div id="CybotCookiebotDialogBodyUnderlay"></div>`,
  ),
  notice('Usercentrics', '', {
    script: inShadow(
      'usercentrics-root',
      `<div data-testid="uc-container"><div role="dialog" style="${fixed}"><p>NOTICE We use cookies and similar technologies.</p><button data-testid="uc-deny-all-button">Deny</button><button data-testid="uc-accept-all-button">Accept All</button></div></div>`,
    ),
  }),
  notice(
    'Quantcast (TCF)',
    `<div id="qc-cmp2-container" class="qc-cmp2-container" data-nosnippet=""><div id="qc-cmp2-main" class="qc-cmp2-main"><div class="qc-cmp-cleanslate css-x" style="position: fixed; inset: 0; background: #fff"><div id="qc-cmp2-ui" role="dialog" aria-modal="true"><h2>NOTICE We value your privacy</h2><div class="qc-cmp2-summary-buttons"><button mode="secondary" size="large"><span>MORE OPTIONS</span></button><button mode="secondary" size="large"><span>DISAGREE</span></button><button mode="primary" size="large"><span>AGREE</span></button></div></div></div></div></div>`,
  ),
  notice(
    'Didomi',
    `<div id="didomi-host" data-nosnippet="true" aria-hidden="false"><div id="didomi-popup" class="didomi-popup-backdrop didomi-notice-popup" style="position: fixed; inset: 0; background: #fff"><div class="didomi-popup-container"><div class="didomi-popup-view didomi-popup-notice" role="dialog"><a class="didomi-continue-without-agreeing" href="javascript:Didomi.setUserDisagreeToAll()">Continue without agreeing →</a><p class="didomi-popup-notice-text">NOTICE With your agreement, we and our partners use cookies.</p><button id="didomi-notice-learn-more-button">Learn More</button><button id="didomi-notice-agree-button">Agree and close</button></div></div></div></div>`,
  ),
  notice(
    'TrustArc (frame)',
    '<div class="truste_overlay"></div><div class="truste_box_overlay" style="position: fixed; inset: 10%; background: #fff"><div class="truste_box_overlay_inner"><div id="pop-div1" class="truste_border"><iframe src="/consent-trustarc" title="TrustArc Cookie Consent Manager" id="pop-frame1" width="700" height="400"></iframe></div></div></div>',
    {
      path: '/consent-trustarc',
      frame:
        '<h1>NOTICE Your choices regarding the use of cookies on this site</h1><a class="required" role="button">Required only</a> <a class="call">Agree and proceed</a>',
    },
  ),
  notice(
    'Sourcepoint (frame)',
    `<div id="sp_message_container_1023445" style="position: fixed; inset: 0; display: block; z-index: 2147483647"><iframe id="sp_message_iframe_1023445" src="/consent-sourcepoint" title="SP Consent Message" role="dialog" width="100%" height="100%"></iframe></div>`,
    {
      path: '/consent-sourcepoint',
      frame:
        '<div class="message type-modal"><p>NOTICE We and our 842 partners store and access personal data.</p><button class="message-component message-button sp_choice_type_13" title="Reject all">Reject all</button><button class="message-component message-button sp_choice_type_11" title="Accept all">Accept all</button></div>',
    },
  ),
  notice(
    'Klaro',
    `<div id="klaro"><div class="klaro we-are-klaro"><div class="cookie-notice" id="klaro-cookie-notice" role="dialog" aria-labelledby="id-cookie-title" style="${fixed}"><div class="cn-body"><p id="id-cookie-notice">NOTICE Hi! Could we please enable some additional services?</p><div class="cn-ok"><a href="#" class="cn-learn-more">Let me choose</a><div class="cn-buttons"><button type="button" class="cm-btn cm-btn-danger cn-decline">I decline</button><button type="button" class="cm-btn cm-btn-success">That's ok</button></div></div></div></div></div></div>`,
  ),
  notice(
    'CookieYes',
    `<div class="cky-overlay" data-cky-tag="overlay"></div><div class="cky-consent-container cky-box-bottom-left" tabindex="0" aria-label="We value your privacy" role="region" style="${fixed}"><div class="cky-consent-bar" data-cky-tag="notice"><p class="cky-title" data-cky-tag="title">NOTICE We value your privacy</p><div class="cky-notice-btn-wrapper" data-cky-tag="notice-buttons"><button class="cky-btn cky-btn-customize">Customise</button><button class="cky-btn cky-btn-reject" data-cky-tag="reject-button">Reject All</button><button class="cky-btn cky-btn-accept" data-cky-tag="accept-button">Accept All</button></div></div></div>`,
  ),
  notice(
    'Complianz',
    `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-hidden banner-1 bottom-right-view-preferences optin cmplz-bottom-right cmplz-show" aria-modal="true" data-nosnippet="true" role="dialog" aria-live="polite" style="${fixed}"><div class="cmplz-header"><div class="cmplz-title">NOTICE Manage Consent</div></div><div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Accept</button><button class="cmplz-btn cmplz-deny">Deny</button></div></div></div>`,
  ),
  notice(
    'Osano',
    `<div role="dialog" aria-label="Cookie Consent Banner" class="osano-cm-window" dir="ltr"><div role="dialog" aria-describedby="osano-cm-window__content" class="osano-cm-window__dialog osano-cm-dialog osano-cm-dialog--position_bottom osano-cm-dialog--type_bar" style="${fixed}"><span class="osano-cm-message">NOTICE This website stores data such as cookies.</span><div class="osano-cm-dialog__buttons osano-cm-buttons"><button class="osano-cm-accept-all osano-cm-button">Accept All</button><button class="osano-cm-denyAll osano-cm-button">Reject Non-Essential</button></div></div></div>`,
  ),
  notice(
    'Iubenda',
    `<div id="iubenda-cs-banner" class="iubenda-cs-default-floating iubenda-cs-bottom iubenda-cs-visible" role="dialog" aria-labelledby="iubenda-cs-title" tabindex="0" style="${fixed}"><div class="iubenda-cs-container"><div class="iubenda-cs-content"><div class="iubenda-cs-rationale"><div id="iubenda-cs-title">NOTICE Notice</div><div class="iubenda-cs-opt-group"><button class="iubenda-cs-customize-btn">Learn more and customize</button><button class="iubenda-cs-reject-btn">Reject</button><button class="iubenda-cs-accept-btn">Accept</button></div></div></div></div></div>`,
  ),
]

const languages: readonly (readonly [language: string, text: string, no: string | undefined, yes: string])[] = [
  ['German', 'NOTICE Wir verwenden Cookies, um Inhalte zu personalisieren.', undefined, 'Alle akzeptieren'],
  ['French', 'NOTICE Nous utilisons des cookies pour améliorer votre expérience.', 'Tout refuser', 'Tout accepter'],
  ['Spanish', 'NOTICE Utilizamos cookies propias y de terceros.', 'Rechazar todo', 'Aceptar todo'],
  ['Italian', 'NOTICE Questo sito utilizza i cookie.', 'Rifiuta tutto', 'Accetta tutto'],
  ['Dutch', 'NOTICE Wij gebruiken cookies om de site te verbeteren.', undefined, 'Alles toestaan'],
  ['Polish', 'NOTICE Używamy plików cookie i ciasteczek.', undefined, 'Akceptuję wszystkie'],
  ['Portuguese', 'NOTICE Usamos cookies para melhorar a sua experiência.', 'Rejeitar', 'Aceitar tudo'],
  ['Japanese', 'NOTICE 当サイトではクッキー（Cookie）を使用しています。', undefined, 'すべて同意する'],
]

/** Notices in plain elements without any telling name, in eight languages. */
export const languagePages: readonly RenderCase[] = languages.map(([language, text, no, yes]) =>
  notice(
    `a notice in ${language} in a plain element`,
    `<div style="${fixed}"><p>${text}</p>${no === undefined ? '' : `<button>${no}</button>`}<div onclick="this.parentNode.remove()" role="button" tabindex="0">${yes}</div></div>`,
  ),
)

/** Notices that hide the page until they are answered. */
export const wallPages: readonly RenderCase[] = [
  pageCase(
    'a wall that shows the article after its answer',
    `<body><main id="out"><p>Please choose.</p></main><script>setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<div style="position: fixed; inset: 0; background: #fff">NOTICE Diese Seite verwendet Cookies. <a href="#" id="yes">Alle akzeptieren</a></div>')
      document.querySelector('#yes').onclick = () => { setTimeout(() => { document.querySelector('#out').innerHTML = '<p>${article}</p>' }, 300) }
    }, 400)</script></body>`,
    { shows: article, hides: /NOTICE/, options: { waitFor: 800 } },
  ),
]

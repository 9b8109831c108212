// Signs that a page has not rendered its content yet. The browser package uses the same ones for live pages.

/** IDs of elements that frameworks render into. */
export const appRootIds: readonly string[] =
  'root app __next __nuxt ___gatsby svelte main-app app-root react-root ember-app q-app __layout application'.split(' ')

/** Elements around the content of a page, not part of it. */
export const surroundings: readonly string[] = ['nav', 'header', 'footer', 'aside']

/** Main text of at least this many characters counts as content, even if the page also shows a spinner. */
export const enoughText = 200

/** Maximum length of strings to test with `loadingText`. */
export const maxLoadingText = 80

const loading = [
  'loading|please wait|just a moment|one moment|hang on|connecting|initiali[sz]ing|preparing|fetching',
  'wird geladen|lädt|laden|wird gestartet|bitte warten|(?:einen )?moment(?: bitte)?',
  'chargement|veuillez patienter|patientez|cargando|(?:por favor,? )?espere|un momento',
  'caricamento|attendere|attendi|carregando|(?:por favor,? )?aguarde|a carregar',
  'even geduld|aan het laden|bezig met laden|ładowanie|wczytywanie|proszę czekać|laddar|läser in|vänta|indlæser|laster|vent litt',
  'ladataan|odota|načítání|načítá se|načítavam|betöltés|se încarcă|učitavanje|зареждане|загрузка|загружается|загружаем',
  '(?:пожалуйста,? )?подождите|завантаження|зачекайте|yükleniyor|lütfen bekleyin|φόρτωση|παρακαλώ περιμένετε',
  '読み込み中|読込中|ロード中|お待ちください|しばらくお待ち|少々お待ち|加载中|正在加载|请稍[候等]|載入中|請稍候|로딩|불러오는 중|잠시만',
  'جار[يٍ]? التحميل|يرجى الانتظار|טוען|نصبر|در حال بارگذاری|กำลังโหลด|đang tải|memuat|memuatkan',
].join('|')
const redirecting =
  'redirecting|you (?:are|will be|are being) (?:\\S+ )?redirected|(?:sie werden|weiterleitung|wird weitergeleitet)|redirection|vous (?:allez être|êtes) redirigé|' +
  'redirigiendo|será redirigido|reindirizzamento|redirecionando|u wordt doorgestuurd|przekierowanie|перенаправление|正在跳转|リダイレクト'

/**
 * Matches a short text that a page shows while it loads: "Loading…", "Bitte warten", "Redirecting to …". It must match
 * as a whole, so sentences about loading do not.
 */
export const loadingText = new RegExp(
  `^[\\s\\p{P}\\p{S}]*(?:(?:${loading})(?:[^.!?。]{0,30}(?:\\.\\.+|…)|[\\s\\p{P}]*)|(?:${redirecting}).{0,60})$`,
  'iu',
)

/** Matches the `class` of spinners and skeletons. */
export const loadingClass =
  /(?:^|[\s_-])(?:skeletons?|shimmer|spinners?|preloader|loader|loading|lds-\w+|placeholder-(?:glow|wave)|sk-\w+)(?:$|[\s_-])/i

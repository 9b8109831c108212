// Vocabulary of the features: tags, kinds of ancestors, and word families for class names, ids and text. A family is
// one number per block (levels up to the nearest element of that family), not a rule.

/** Elements that end a block. */
export const blockTags: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol optgroup p pre ' +
    'search section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

/** Elements without page text. `noscript` is decided per page. */
export const wordlessTags: ReadonlySet<string> = new Set(
  (
    'script style template svg math-ml head iframe object embed canvas video audio map select datalist textarea input ' +
    'img picture source track link meta base param title area frame noframes col colgroup progress meter'
  ).split(' '),
)

export const mediaTags: ReadonlySet<string> = new Set(
  'img picture video audio svg iframe object embed canvas'.split(' '),
)

export const ownTags: readonly string[] = (
  'p li h1 h2 h3 h4 h5 h6 td th dt dd blockquote pre div span figcaption summary button a time label section article ' +
  'small strong code address cite legend caption b em i font center body main form header footer nav aside ins abbr'
).split(' ')

/** Ancestors by tag or role. `hidden` covers every way of hiding in the markup. */
export const ancestors: readonly string[] = (
  'nav header footer aside main article section form table ul figure dialog button details search blockquote dl pre a ' +
  'hidden bodyprop textprop td li p figcaption label'
).split(' ')

export const rolesAsAncestors: Readonly<Record<string, string>> = {
  navigation: 'nav',
  menu: 'nav',
  menubar: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  main: 'main',
  dialog: 'dialog',
  alertdialog: 'dialog',
  search: 'search',
  article: 'article',
  form: 'form',
  button: 'button',
  table: 'table',
  list: 'ul',
}

/** A word ending in `*` also matches longer words that begin or end with it (`sidebar*`, `leftsidebar`). */
export const classFamilies: Readonly<Record<string, string>> = {
  nav: 'nav navbar* navigation* navi menu* topbar megamenu offcanvas drawer subnav sitenav navlinks hamburger',
  footer: 'footer* foot bottom colophon footnav fuss fusszeile',
  sidebar:
    'sidebar* side aside rail secondary right left sticky tertiary marginal rightcol leftcol rightcolumn sidenav',
  header: 'header* head masthead* top banner kopf topnav titlebar',
  crumb: 'breadcrumb* crumb crumbs path breadcrumbs pathway brotkrumen',
  cookie: 'cookie* consent* privacy gdpr onetrust* notice ccpa cmp dsgvo datenschutz cookiebot',
  modal: 'modal* popup* overlay* dialog lightbox tooltip toast alert dropdown* popover flyout interstitial',
  social:
    'social* share* sharing* follow facebook twitter instagram addthis addtoany shariff whatsapp pinterest sharedaddy',
  related:
    'related* recommend* more also popular* trending similar suggest* latest recent* upsell crosssell cross next ' +
    'readmore outbrain taboola teaser teasers weitere mehr passend',
  comment: 'comment* reply replies discuss disqus* respond kommentar* commentlist',
  author: 'author* byline* bio writer contributor* avatar profile user autor autoren gravatar',
  meta: 'meta metadata date published timestamp posted info time datum postmeta entrymeta readtime readingtime dateline',
  tag: 'tag tags tagcloud category* categories topic topics label labels kategorie kategorien keyword keywords hashtags',
  ad: 'ad ads adv advert* advertisement sponsor* promo* promotion dfp partner anzeige werbung adsense adslot adunit gpt',
  news: 'newsletter* subscribe* subscription* signup mailing email optin mailchimp abo paywall',
  search: 'search* searchform query suche',
  login: 'login* signin account register auth anmelden registration',
  pager: 'pager pagination* paging pagenumbers prev previous pages postnavigation pagenav nextprev weiter',
  contents: 'toc contents onthispage jump anchor inhaltsverzeichnis tableofcontents',
  widget: 'widget* block module plugin portlet box',
  caption:
    'caption* credit* figure gallery slider* carousel* slide swiper slick bildunterschrift wpcaption photo image media',
  content:
    'content entry body text story prose markdown rich richtext* wysiwyg copy rte articlebody* postcontent* ' +
    'entrycontent* storybody* bodytext inhalt mainarticle articletext articlecontent postbody bodycopy paragraph',
  article: 'article* post blog story single artikel beitrag hentry newsarticle blogpost',
  main: 'main primary page container wrapper inner maincontent hauptinhalt centercol maincol',
  product: 'product* pdp item sku spec specs specification* description* detail details produkt',
  price: 'price* cart basket buy checkout shipping stock quantity wishlist addtocart preis warenkorb minicart',
  review: 'review* rating* testimonial* stars bewertung bewertungen trustpilot bazaarvoice',
  filter: 'filter* sort facet facets refine toolbar controls option options swatch variant variants orderby',
  hero: 'hero intro lead excerpt summary dek subtitle standfirst abstract teasertext vorspann subheadline subhead deck lede',
  action: 'cta button* btn btns action actions link links calltoaction',
  legal: 'copyright* legal disclaimer terms license imprint impressum agb',
  unseen:
    'skip skiplink sronly sr visually visuallyhidden screenreader screen hidden hide assistive a11y invisible offscreen ' +
    'noprint mobile',
  thread:
    'answer* question* message* thread* topic posts reply postbody cooked bbcode quote forum* conversation ' +
    'messagetext usertext qa',
  card: 'card* grid tile tiles list listing* results result row col collection column columns feed archive loop',
  fold: 'faq faqs accordion* tab tabs panel collapse toggle expander collapsible',
  title: 'title* heading* headline* name ueberschrift titel',
  code: 'code highlight snippet syntax example codehilite prism hljs',
  language: 'lang language* locale country region currency geo translate wpml languages',
  logo: 'logo* brand branding icon* icons sitetitle svg',
  note: 'note footnote* references reference reflist citation hatnote infobox thumb navbox catlinks editsection',
  form: 'form forms input field fieldset contact* formular captcha',
  signature: 'signature sig userinfo postprofile userdetails memberinfo rank reputation karma vote votes voting score',
}

/** Typical boilerplate words of short blocks, in the most common languages. */
export const textFamilies: Readonly<Record<string, string>> = {
  byline: 'by posted published updated written last von veröffentlicht aktualisiert autor par publié por publicado',
  consent:
    'cookie cookies privacy consent gdpr datenschutz datenschutzerklärung impressum agb terms policy imprint ' +
    'conditions nutzungsbedingungen disclaimer copyright rights reserved vorbehalten rechte mentions légales',
  account:
    'subscribe newsletter sign signup login log register account password email anmelden registrieren abonnieren ' +
    'konto einloggen passwort inscription connexion suscríbete iscriviti join member',
  share:
    'share tweet facebook twitter pinterest linkedin whatsapp instagram youtube telegram reddit follow teilen folgen ' +
    'drucken print xing mail rss feed flipboard partager compartir condividi',
  more:
    'more weiterlesen mehr view all see load show click here learn shop now cart add weiter lesen alle zurück next ' +
    'previous back older newer prev vorheriger nächster suite ver más leggi continue expand collapse',
  related:
    'related recommended popular trending latest also like similar recent featured ähnliche verwandte beliebt ' +
    'neueste artikel beiträge themen meistgelesen weitere topics empfehlungen editors picks stories posts articles',
  comment:
    'comment comments reply replies leave kommentar kommentare antworten schreiben commentaires comentarios responses ' +
    'kommentieren respond discussion',
  menu:
    'home menu search about contact navigation skip content toggle close open main suche startseite kontakt über ' +
    'hauptmenü inhalt springen faq help hilfe careers jobs press sitemap support blog news services products shop',
  price:
    'price cart buy add stock shipping checkout wishlist quantity preis warenkorb kaufen lieferzeit mwst sale off save',
  time:
    'january february march april may june july august september october november december januar februar märz mai ' +
    'juni juli oktober dezember jan feb mar apr jun jul aug sep sept oct nov dec ago min minutes hours days uhr read ' +
    'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag',
  tagged:
    'tags tagged filed under category categories kategorie kategorien schlagwörter schlagworte tag posted in topics',
  ad: 'advertisement sponsored anzeige werbung ad ads promoted advertising sponsor publicité publicidad affiliate',
  image: 'photo image credit getty foto bild courtesy reuters ap afp images photograph quelle shutterstock picture dpa',
  author: 'author editor writer reporter contributor journalist autorin redakteur redaktion bio contributing senior',
  forum:
    'joined posts location member likes votes answers views asked answered edited modified score quote mitglied beiträge',
}

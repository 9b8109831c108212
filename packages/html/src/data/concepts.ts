// Maps field names to where pages state their values: paths of schema.org properties, names of `<meta>`, labels in the
// text.

export interface Concept {
  readonly kind:
    | 'text'
    | 'price'
    | 'number'
    | 'currency'
    | 'availability'
    | 'url'
    | 'date'
    | 'person'
    | 'keywords'
    | 'lines'
  /** Field names, as lower-case words. */
  readonly names: readonly string[]
  /** Property paths in the item, most reliable first. `valuesAt` describes the syntax. */
  readonly paths: readonly string[]
  /** Names of `<meta>` and of elements, most reliable first. They describe the page's main subject only. */
  readonly meta: readonly string[]
  /** Labels in the page's text with the same meaning. */
  readonly labels: readonly string[]
}

type Row = readonly [kind: Concept['kind'], names: string, paths: string, meta?: string, labels?: string]

const rows: readonly Row[] = [
  ['text', 'name|title|headline|heading|question title', 'headline|name|title', 'og:title'],
  ['text', 'alternative headline|subtitle|sub title|subheadline', 'alternativeHeadline|alternateName'],
  [
    'text',
    'description|short description|excerpt|abstract|meta description|teaser',
    'description|abstract',
    'og:description|description|twitter:description',
  ],
  ['url', 'url|link|canonical|canonical url|permalink|page url|href|web address', 'url|@id', 'canonical|og:url'],
  [
    'url',
    'image|image url|thumbnail|thumbnail url|photo|picture|main image|main image url|cover|cover image|featured image|hero image|photo url|lead image',
    'image.url|image.contentUrl|image|thumbnailUrl|thumbnail.url',
    'og:image:secure_url|og:image|twitter:image',
  ],
  ['text', 'language|lang|locale|in language', 'inLanguage.name|inLanguage', 'language'],
  ['text', 'site name|site|website|website name|source|source name|outlet', 'isPartOf.publisher.name', 'og:site_name'],
  ['text', 'publisher|publisher name|published by', 'publisher.name|publisher', '', 'publisher|verlag|editorial'],
  [
    'person',
    'author|author name|byline|writer|written by|creator|posted by|reporter|poster|asked by',
    'author.name|author|creator.name|creator',
  ],
  ['url', 'author url|author link|author profile', 'author.url'],
  [
    'date',
    'date published|published|published at|published date|publication date|publish date|date|date posted|posted at|posted|post date|created|created at|date created|published time|published on|upload date',
    'datePublished|uploadDate|datePosted|dateCreated',
    'article:published_time|datepublished|og:published_time|parsely-pub-date|date|dc.date.issued|dcterms.created|pubdate|publish-date',
  ],
  [
    'date',
    'date modified|modified|updated|updated at|date updated|last updated|modified at|last modified|modified date|modified time|updated on',
    'dateModified',
    'article:modified_time|og:updated_time|last-modified|datemodified',
  ],
  ['text', 'section|article section|topic|rubric', 'articleSection', 'article:section'],
  [
    'text',
    'category|product category|category name',
    'category.name|category|articleSection',
    'product:category|article:section',
    'category|kategorie|categoría',
  ],
  ['keywords', 'keywords|tags|tag list|topics', 'keywords', 'keywords|article:tag|news_keywords'],
  ['number', 'word count|words', 'wordCount'],
  ['text', 'body|article body|content|text|full text|main text', 'articleBody|text'],
  [
    'text',
    'post text|post body|question|question text|question body|first post|original post|message',
    'text|articleBody',
  ],

  [
    'price',
    'price|current price|price amount|sale price|cost|offer price|selling price|unit price',
    'offers.price|offers.priceSpecification.price|price|offers.offers.price|offers.lowPrice=highPrice',
    'product:price:amount|og:price:amount|product:sale_price:amount',
  ],
  ['price', 'low price|lowest price|min price|price from|minimum price', 'offers.lowPrice'],
  ['price', 'high price|highest price|max price|price to|maximum price', 'offers.highPrice'],
  [
    'currency',
    'currency|price currency|currency code',
    'offers.priceCurrency|offers.priceSpecification.priceCurrency|priceCurrency|offers.offers.priceCurrency',
    'product:price:currency|og:price:currency|product:sale_price:currency',
  ],
  [
    'availability',
    'availability|in stock|is in stock|available|is available|stock|stock status|instock',
    'offers.availability|availability|offers.offers.availability',
    'product:availability|og:availability',
  ],
  ['date', 'price valid until|valid until', 'offers.priceValidUntil'],
  ['text', 'brand|brand name|make', 'brand.name|brand', 'product:brand|og:brand', 'brand|marke|marca|marque'],
  [
    'text',
    'manufacturer|manufacturer name|maker',
    'manufacturer.name|manufacturer',
    '',
    'manufacturer|hersteller|fabricante',
  ],
  [
    'text',
    'sku|product id|article number|item number|product code|item code',
    'sku|productID|offers.sku',
    'product:retailer_item_id',
    'sku|asin|item number|ebay item number|numero oggetto ebay|numéro de l objet ebay|item id|post id|article number|article no|artikelnummer|art nr|artikel nr|artikelnr|bestellnummer|best nr|item no|product code|product number|item code|cod produs|code produit|référence|referência|referencia|reference|ref|código|produktnummer|varenummer|kód|kód produktu|kod produktu',
  ],
  [
    'text',
    'mpn|manufacturer part number|part number',
    'mpn|offers.mpn',
    'product:mfr_part_no',
    'mpn|manufacturer part number|part number|herstellernummer',
  ],
  [
    'text',
    'gtin|gtin13|ean|upc|barcode|gtin14|gtin8|gtin12|ean13',
    'gtin13|gtin|gtin12|gtin14|gtin8|offers.gtin13|offers.gtin|offers.gtin12',
    'product:ean|product:upc|product:gtin',
    'gtin|ean|upc|barcode|ean code',
  ],
  ['text', 'isbn|isbn13|isbn 13|isbn10|isbn 10', 'isbn', 'book:isbn|books:isbn', 'isbn|isbn13|isbn 13|isbn10|isbn 10'],
  ['text', 'color|colour', 'color', 'product:color', 'color|colour|farbe|couleur'],
  ['text', 'size', 'size.name|size', 'product:size', 'size|größe'],
  ['text', 'material', 'material', 'product:material', 'material|materials'],
  ['text', 'model|model name|model number', 'model.name|model', '', 'model|model number|modell'],
  ['text', 'condition|item condition', 'itemCondition|offers.itemCondition', 'product:condition', 'condition|zustand'],
  [
    'text',
    'seller|seller name|merchant|vendor|sold by|shop',
    'offers.seller.name|offers.seller|offers.offeredBy.name',
    '',
    'seller|vendor|sold by|verkäufer',
  ],
  ['text', 'weight', 'weight.value|weight', '', 'weight|gewicht|item weight|peso'],
  [
    'number',
    'rating|rating value|average rating|stars|score|avg rating|star rating|review score',
    'aggregateRating.ratingValue|reviewRating.ratingValue|ratingValue',
  ],
  ['number', 'best rating|max rating|rating scale', 'aggregateRating.bestRating|reviewRating.bestRating|bestRating'],
  [
    'number',
    'review count|reviews count|number of reviews|num reviews|reviews|total reviews',
    'aggregateRating.reviewCount|aggregateRating.ratingCount|reviewCount',
  ],
  [
    'number',
    'rating count|ratings count|number of ratings|num ratings|ratings',
    'aggregateRating.ratingCount|aggregateRating.reviewCount|ratingCount',
  ],

  [
    'number',
    'reply count|replies|replies count|number of replies|comment count|comments count|number of comments|comments|num comments|answer count|answers count|number of answers|answers',
    'answerCount|commentCount|#comment|#reply',
  ],
  ['number', 'view count|views|number of views|interaction count', '#view|#watch'],
  ['number', 'like count|likes|number of likes|upvotes|upvote count|votes|vote count', 'upvoteCount|#like|#vote'],
  ['text', 'accepted answer|best answer|answer|answer text', 'acceptedAnswer.text'],

  ['date', 'start date|starts at|start time|event date|start', 'startDate'],
  ['date', 'end date|ends at|end time|end', 'endDate'],
  [
    'text',
    'location|venue|location name|venue name|place',
    'location.name|jobLocation.address.addressLocality|location',
  ],
  ['text', 'organizer|organizer name|host', 'organizer.name|organizer'],
  ['text', 'prep time|preparation time', 'prepTime'],
  ['text', 'cook time|cooking time', 'cookTime'],
  ['text', 'total time', 'totalTime'],
  ['text', 'servings|yield|recipe yield|serves', 'recipeYield'],
  ['lines', 'ingredients|recipe ingredients', 'recipeIngredient|ingredients'],
  [
    'lines',
    'instructions|steps|recipe instructions|directions',
    'recipeInstructions.text|recipeInstructions.itemListElement.text|recipeInstructions',
  ],
  ['text', 'calories', 'nutrition.calories'],
  ['text', 'cuisine', 'recipeCuisine'],
  ['text', 'company|company name|employer|hiring organization', 'hiringOrganization.name|worksFor.name'],
  ['text', 'employment type|job type', 'employmentType'],
  ['text', 'phone|telephone|phone number', 'telephone|address.telephone', '', 'phone|telephone|tel|telefon|teléfono'],
  ['text', 'email|email address|e mail', 'email', '', 'email|e mail'],
  ['text', 'street|street address|address line', 'address.streetAddress'],
  ['text', 'city|town|locality', 'address.addressLocality'],
  ['text', 'postal code|zip|zip code|postcode', 'address.postalCode'],
  ['text', 'region|state|province', 'address.addressRegion'],
  ['text', 'country', 'address.addressCountry.name|address.addressCountry'],
  ['text', 'duration', 'duration'],
  ['text', 'genre', 'genre'],
  ['person', 'director', 'director.name|director'],
  [
    'number',
    'number of pages|pages|page count',
    'numberOfPages',
    '',
    'pages|print length|seiten|number of pages|páginas',
  ],
  ['text', 'format|binding|book format', 'bookFormat', '', 'format|binding|einband'],
]

const split = (text: string | undefined): readonly string[] => (text ? text.split('|') : [])

export const concepts: readonly Concept[] = rows.map(([kind, names, paths, meta, labels]) => ({
  kind,
  names: split(names),
  paths: split(paths),
  meta: split(meta),
  labels: split(labels),
}))

const byName: ReadonlyMap<string, Concept> = new Map(
  concepts.flatMap((concept) => concept.names.map((name) => [name, concept] as const)),
)

/**
 * Converts a field name to lower-case words: `productName`, `product_name` and `Product name` become `product name`.
 */
export function wordsOfName(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const prefixes =
  /^(?:the |product |article |post |thread |topic |item |page |book |news |story |blog |recipe |event |job |video |movie |forum |discussion |question |review |comment |answer |main )/

/**
 * Returns the concept for a field name, also if the name starts with its subject (`article title`). `undefined` if it
 * is unknown.
 */
export function conceptOf(name: string): Concept | undefined {
  const words = wordsOfName(name)
  return byName.get(words) ?? byName.get(words.replace(prefixes, ''))
}

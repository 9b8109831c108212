// Sites as a map sees them, and what people look for on them. A page is a path and, where it is known, a title; a query
// is followed by the pages that answer it, the best first.

export interface RankedSite {
  readonly name: string
  readonly host: string
  readonly pages: string
  readonly queries: string
}

export const rankedSites: readonly RankedSite[] = [
  {
    name: 'documentation of a web framework',
    host: 'docs.lattice.example',
    pages: `
/
/docs | Documentation
/docs/getting-started/installation | Installation
/docs/getting-started/project-structure | Project structure
/docs/getting-started/first-app
/docs/routing/defining-routes | Defining routes
/docs/routing/dynamic-routes | Dynamic routes
/docs/routing/middleware | Middleware
/docs/routing/redirects
/docs/data-fetching/fetching
/docs/data-fetching/caching | Caching and revalidating
/docs/data-fetching/server-actions | Server actions and mutations
/docs/rendering/server-components | Server components
/docs/rendering/client-components | Client components
/docs/rendering/static-exports | Static exports
/docs/styling/css-modules | CSS modules
/docs/styling/sass | Sass
/docs/optimizing/images | Image optimization
/docs/optimizing/fonts | Font optimization
/docs/optimizing/bundle-analyzer
/docs/configuring/environment-variables | Environment variables
/docs/configuring/typescript | TypeScript
/docs/configuring/eslint | ESLint
/docs/testing/vitest | Testing with Vitest
/docs/testing/playwright | End to end testing with Playwright
/docs/authentication | Authentication
/docs/deploying/docker | Docker image
/docs/deploying/self-hosting | Self-hosting
/docs/upgrading/version-14 | Upgrading to version 14
/docs/upgrading/version-15 | Upgrading to version 15
/docs/upgrading/codemods | Codemods
/docs/api-reference/components/link | <Link>
/docs/api-reference/components/image | <Image>
/docs/api-reference/components/script | <Script>
/docs/api-reference/functions/redirect | redirect()
/docs/api-reference/functions/use-router | useRouter
/docs/api-reference/functions/not-found | notFound()
/docs/api-reference/cli/create-lattice-app | create-lattice-app
/docs/api-reference/cli/lattice-build
/blog/lattice-15 | Lattice 15 is here
/blog/security-update-2026-01 | Security update: middleware bypass
/showcase | Showcase
/templates | Templates
/learn | Learn Lattice step by step
`,
    queries: `
how do I install it => /docs/getting-started/installation
installing => /docs/getting-started/installation
route with parameters dynamic => /docs/routing/dynamic-routes
middleware => /docs/routing/middleware, /blog/security-update-2026-01
useRouter hook => /docs/api-reference/functions/use-router
use router => /docs/api-reference/functions/use-router
image component => /docs/api-reference/components/image, /docs/optimizing/images
optimise images => /docs/optimizing/images
enviroment variables => /docs/configuring/environment-variables
env variables => /docs/configuring/environment-variables
deploy with docker => /docs/deploying/docker
selfhosting => /docs/deploying/self-hosting
upgrade to 15 => /docs/upgrading/version-15
migrate from version 14 => /docs/upgrading/version-14, /docs/upgrading/codemods
end-to-end tests => /docs/testing/playwright
404 not found page => /docs/api-reference/functions/not-found
cache revalidation => /docs/data-fetching/caching
auth => /docs/authentication
playright => /docs/testing/playwright
redirect => /docs/api-reference/functions/redirect, /docs/routing/redirects
server components rendering => /docs/rendering/server-components
analyze bundle => /docs/optimizing/bundle-analyzer
fetch data => /docs/data-fetching/fetching
security vulnerability => /blog/security-update-2026-01
`,
  },
  {
    name: 'shop for outdoor gear',
    host: 'www.ridgeline.example',
    pages: `
/
/men
/men/jackets | Men's jackets
/men/jackets/rain-jackets
/men/jackets/down-jackets
/men/boots | Men's hiking boots
/men/trousers
/women | Women
/women/jackets | Women's jackets
/women/jackets/rain-jackets
/women/jackets/fleece
/women/boots | Women's hiking boots
/women/leggings
/kids/jackets
/kids/boots
/camping/tents | Tents
/camping/tents/two-person-tents
/camping/tents/family-tents
/camping/sleeping-bags | Sleeping bags
/camping/stoves
/camping/lamps-torches
/climbing/ropes
/climbing/harnesses
/climbing/helmets
/p/summit-2-tent-green-81723 | Summit 2 tent, green
/p/summit-4-tent-red-81755 | Summit 4 tent, red
/p/nimbus-rain-jacket-women-blue-55120 | Nimbus rain jacket, women, blue
/p/nimbus-rain-jacket-men-black-55121 | Nimbus rain jacket, men, black
/p/trailwalker-gtx-boot-men-40012
/p/trailwalker-gtx-boot-women-40013
/p/flare-gas-stove-11892
/p/polar-minus-20-sleeping-bag-77210
/p/lumen-400-headlamp-31007 | Lumen 400 headlamp
/sale | Sale
/gift-cards
/help/delivery | Delivery
/help/returns-and-refunds | Returns and refunds
/help/size-guide | Size guide
/help/payment-methods
/help/warranty-repairs
/stores | Find a store
/stores/leeds
/stores/bristol
/journal/how-to-wash-a-down-jacket | How to wash a down jacket
/journal/best-hikes-lake-district
/journal/choosing-a-sleeping-bag | Choosing a sleeping bag
/account/login
/account/orders
/about-us
/careers
/privacy-policy
/terms-and-conditions
`,
    queries: `
womens waterproof rain jacket => /women/jackets/rain-jackets, /p/nimbus-rain-jacket-women-blue-55120
rain jackets for men => /men/jackets/rain-jackets, /p/nimbus-rain-jacket-men-black-55121
nimbus jacket blue => /p/nimbus-rain-jacket-women-blue-55120
tent for two people => /camping/tents/two-person-tents, /p/summit-2-tent-green-81723
family tent => /camping/tents/family-tents
tents => /camping/tents
hiking boots women => /women/boots, /p/trailwalker-gtx-boot-women-40013
trail walker boot => /p/trailwalker-gtx-boot-men-40012, /p/trailwalker-gtx-boot-women-40013
kids boots => /kids/boots
sleeping bag winter choose => /journal/choosing-a-sleeping-bag
slepping bags => /camping/sleeping-bags
gas stove => /p/flare-gas-stove-11892, /camping/stoves
head lamp => /p/lumen-400-headlamp-31007
refund => /help/returns-and-refunds
how can I return something => /help/returns-and-refunds
shipping cost => /help/delivery
what size am I => /help/size-guide
gift card => /gift-cards
shop in Bristol => /stores/bristol
jobs => /careers
privacy => /privacy-policy
T&C => /terms-and-conditions
washing down jackets => /journal/how-to-wash-a-down-jacket
81755 => /p/summit-4-tent-red-81755
climbing harness => /climbing/harnesses
repair under warranty => /help/warranty-repairs
sign in => /account/login
my orders => /account/orders
`,
  },
  {
    name: 'newspaper',
    host: 'www.harbourtimes.example',
    pages: `
/
/politics
/business
/sport
/sport/football
/sport/tennis
/culture
/weather
/opinion
/politics/2026/01/12/parliament-votes-on-housing-bill | Parliament votes on housing bill
/politics/2026/01/09/minister-resigns-over-ferry-contract | Minister resigns over ferry contract
/politics/2025/12/18/election-date-set-for-may | Election date set for May
/business/2026/01/11/central-bank-holds-interest-rates | Central bank holds interest rates
/business/2026/01/10/shipyard-cuts-400-jobs | Shipyard cuts 400 jobs
/business/2025/11/30/inflation-falls-to-two-percent
/sport/football/2026/01/11/harbour-city-win-cup-semi-final | Harbour City win cup semi-final
/sport/football/2026/01/04/striker-transfer-record-fee
/sport/tennis/2026/01/08/teenager-reaches-quarter-final
/culture/2026/01/07/film-festival-line-up-announced | Film festival line-up announced
/culture/2025/12/29/books-of-the-year | The books of the year
/culture/2025/10/02/opera-house-reopens-after-fire
/science/2026/01/05/harvestmen-survive-frost-study-finds | Harvestmen survive frost, study finds
/science/2025/12/01/telescope-sees-first-light
/health/2026/01/06/flu-cases-rise-in-schools | Flu cases rise in schools
/health/2025/11/21/hospital-waiting-lists-shrink
/local/2026/01/12/bridge-closed-after-storm | Bridge closed after storm
/local/2026/01/03/new-tram-line-opens-in-april
/opinion/2026/01/10/why-the-housing-bill-will-fail | Why the housing bill will fail
/subscribe
/newsletters
/contact-the-newsroom
/corrections
/podcasts/morning-tide
/crosswords
/obituaries/2025/12/20/painter-ada-lund
`,
    queries: `
housing bill vote => /politics/2026/01/12/parliament-votes-on-housing-bill, /opinion/2026/01/10/why-the-housing-bill-will-fail
interest rate => /business/2026/01/11/central-bank-holds-interest-rates
job cuts shipyard => /business/2026/01/10/shipyard-cuts-400-jobs
ferry contract resignation => /politics/2026/01/09/minister-resigns-over-ferry-contract
football => /sport/football, /sport/football/2026/01/11/harbour-city-win-cup-semi-final
cup semifinal => /sport/football/2026/01/11/harbour-city-win-cup-semi-final
transfer fee striker => /sport/football/2026/01/04/striker-transfer-record-fee
film festval => /culture/2026/01/07/film-festival-line-up-announced
best books => /culture/2025/12/29/books-of-the-year
election => /politics/2025/12/18/election-date-set-for-may
opera fire => /culture/2025/10/02/opera-house-reopens-after-fire
storm bridge closure => /local/2026/01/12/bridge-closed-after-storm
tram => /local/2026/01/03/new-tram-line-opens-in-april
influenza flu school => /health/2026/01/06/flu-cases-rise-in-schools
waiting list hospitals => /health/2025/11/21/hospital-waiting-lists-shrink
weather forecast => /weather
contact => /contact-the-newsroom
podcast => /podcasts/morning-tide
ada lund => /obituaries/2025/12/20/painter-ada-lund
inflation rate => /business/2025/11/30/inflation-falls-to-two-percent
news letter => /newsletters
tennis teenager => /sport/tennis/2026/01/08/teenager-reaches-quarter-final
spiders frost => /science/2026/01/05/harvestmen-survive-frost-study-finds
`,
  },
  {
    name: 'forum of a programming language',
    host: 'forum.quill.example',
    pages: `
/
/c/help | Help
/c/announcements | Announcements
/c/libraries
/c/jobs | Jobs
/t/borrow-checker-error-when-returning-closure/10231 | Borrow checker error when returning closure
/t/how-do-i-read-a-file-line-by-line/10007 | How do I read a file line by line?
/t/memory-leak-in-async-runtime/10342 | Memory leak in async runtime
/t/what-editor-do-you-use/9120 | What editor do you use?
/t/quill-2-4-released/11002 | Quill 2.4 released
/t/quill-2-3-released/10410 | Quill 2.3 released
/t/best-http-client-library/9877
/t/parsing-json-with-unknown-keys/10788
/t/segmentation-fault-on-macos-arm/10911 | Segmentation fault on macOS ARM
/t/cross-compiling-to-windows/10095
/t/string-vs-str-what-is-the-difference/8034 | String vs str: what is the difference?
/t/sorting-a-list-by-two-keys/10555
/t/unit-testing-private-functions/9345
/t/hiring-backend-developer-remote/11040
/t/proposal-pattern-guards/10620 | Proposal: pattern guards
/t/slow-compile-times/10300 | Slow compile times
/t/database-drivers-postgres/9981
/t/regular-expressions-unicode/10144
/t/how-to-format-dates/10401
/t/error-handling-best-practices/9002 | Error handling best practices
/t/logging-to-a-file/10702
/t/deploying-to-a-raspberry-pi/10850
/u/marlow/summary
/u/odette/summary
/faq
/guidelines
/privacy
/search
/tags/async
/tags/macros
`,
    queries: `
read file line by line => /t/how-do-i-read-a-file-line-by-line/10007
reading files => /t/how-do-i-read-a-file-line-by-line/10007
json parse => /t/parsing-json-with-unknown-keys/10788
segfault mac => /t/segmentation-fault-on-macos-arm/10911
segmentation faults => /t/segmentation-fault-on-macos-arm/10911
compile is slow => /t/slow-compile-times/10300
compiler speed compilation time => /t/slow-compile-times/10300
difference between str and String => /t/string-vs-str-what-is-the-difference/8034
new release 2.4 => /t/quill-2-4-released/11002
sort by two keys => /t/sorting-a-list-by-two-keys/10555
postgres => /t/database-drivers-postgres/9981
postgress driver => /t/database-drivers-postgres/9981
test private function => /t/unit-testing-private-functions/9345
date formatting => /t/how-to-format-dates/10401
errors handle => /t/error-handling-best-practices/9002
http libraries => /t/best-http-client-library/9877
cross compile windows => /t/cross-compiling-to-windows/10095
closures borrow => /t/borrow-checker-error-when-returning-closure/10231
async memory leaks => /t/memory-leak-in-async-runtime/10342
regex => /t/regular-expressions-unicode/10144
raspberrypi => /t/deploying-to-a-raspberry-pi/10850
log file => /t/logging-to-a-file/10702
odette => /u/odette/summary
remote job => /t/hiring-backend-developer-remote/11040, /c/jobs
`,
  },
  {
    name: 'government',
    host: 'www.gov.example',
    pages: `
/
/browse/benefits
/browse/driving
/browse/visas-immigration
/browse/tax
/apply-for-a-driving-licence | Apply for a driving licence
/renew-driving-licence | Renew your driving licence
/change-address-driving-licence | Change the address on your driving licence
/book-driving-test | Book your driving test
/cancel-driving-test
/vehicle-tax | Tax your vehicle
/check-vehicle-tax | Check if a vehicle is taxed
/check-mot-history | Check the MOT history of a vehicle
/apply-renew-passport | Apply online for a passport
/report-a-lost-or-stolen-passport | Report a lost or stolen passport
/child-passport
/standard-visitor-visa | Visit as a Standard Visitor
/skilled-worker-visa | Skilled Worker visa
/student-visa | Student visa
/student-finance | Student finance
/register-birth | Register a birth
/register-a-death | Register a death
/marriages-civil-partnerships | Marriages and civil partnerships
/maternity-pay-leave | Maternity pay and leave
/paternity-pay-leave | Paternity pay and leave
/state-pension-age | Check your State Pension age
/new-state-pension
/jobseekers-allowance | Jobseeker's Allowance
/housing-benefit | Housing Benefit
/council-tax-bands | Council Tax bands
/council-tax/discounts
/self-assessment-tax-returns | Self Assessment tax returns
/self-assessment-tax-returns/deadlines
/self-assessment-tax-returns/penalties
/income-tax-rates | Income Tax rates and personal allowances
/vat-registration | Register for VAT
/vat-rates
/set-up-limited-company
/minimum-wage-rates | National Minimum Wage rates
/bank-holidays | Bank holidays
/report-pothole
/complain-about-a-council
/contact
/help/cookies
`,
    queries: `
renew driving license => /renew-driving-licence
driving licence new address => /change-address-driving-licence
first driving licence application => /apply-for-a-driving-licence
book a driving test => /book-driving-test
car tax => /vehicle-tax, /check-vehicle-tax
is my vehicle taxed => /check-vehicle-tax
passport stolen => /report-a-lost-or-stolen-passport
renewing a passport => /apply-renew-passport
passport for my child => /child-passport
work visa skilled => /skilled-worker-visa
students visa => /student-visa
birth registration => /register-birth
when can I get my pension => /state-pension-age, /new-state-pension
maternity leave => /maternity-pay-leave
minimum wages => /minimum-wage-rates
tax return deadline => /self-assessment-tax-returns/deadlines
penalty late tax return => /self-assessment-tax-returns/penalties
income tax => /income-tax-rates
vat rate => /vat-rates
register for vat => /vat-registration
council tax discount => /council-tax/discounts
housing benefits => /housing-benefit
public holidays => /bank-holidays
pothole => /report-pothole
marrige => /marriages-civil-partnerships
start a company => /set-up-limited-company
getting married => /marriages-civil-partnerships
`,
  },
  {
    name: 'university',
    host: 'www.thornbury.example',
    pages: `
/
/study/undergraduate | Undergraduate study
/study/undergraduate/courses/computer-science-bsc | Computer Science BSc
/study/undergraduate/courses/history-ba | History BA
/study/undergraduate/courses/mechanical-engineering-meng | Mechanical Engineering MEng
/study/undergraduate/courses/law-llb
/study/undergraduate/how-to-apply | How to apply
/study/postgraduate | Postgraduate study
/study/postgraduate/courses/data-science-msc | Data Science MSc
/study/postgraduate/courses/public-health-mph
/study/postgraduate/how-to-apply | How to apply
/study/phd
/study/fees-and-funding | Fees and funding
/study/fees-and-funding/scholarships | Scholarships
/study/international/english-language-requirements
/study/international/visas
/study/open-days | Open days
/study/accommodation | Accommodation
/study/accommodation/halls-catered
/research | Research
/research/institutes/marine-biology
/research/institutes/quantum-computing
/research/publications
/departments/physics | Department of Physics
/departments/physics/people/prof-ines-ferrar
/departments/computer-science | Department of Computer Science
/departments/computer-science/staff
/library | Library
/library/opening-hours
/library/borrow-renew
/it-services/wifi | Connect to wifi
/it-services/reset-password
/students/timetable | Timetable
/students/exams/dates
/students/exams/resits
/students/wellbeing | Student wellbeing
/alumni
/news/2026/new-vice-chancellor-appointed
/news/2025/solar-car-team-wins-race
/events/public-lectures
/about/campus-maps
/about/term-dates | Term dates
/jobs
`,
    queries: `
computer science degree => /study/undergraduate/courses/computer-science-bsc, /departments/computer-science
msc data science => /study/postgraduate/courses/data-science-msc
apply for undergraduate => /study/undergraduate/how-to-apply
scholarship => /study/fees-and-funding/scholarships
tuition fees => /study/fees-and-funding
library opening times hours => /library/opening-hours
renew library books => /library/borrow-renew
forgot password => /it-services/reset-password
wi-fi => /it-services/wifi
term dates 2026 => /about/term-dates
exam dates => /students/exams/dates
retake exam resit => /students/exams/resits
physics professor ferrar => /departments/physics/people/prof-ines-ferrar
physics => /departments/physics
quantum computers => /research/institutes/quantum-computing
marine biology research => /research/institutes/marine-biology
open day => /study/open-days
halls of residence catered => /study/accommodation/halls-catered
acommodation => /study/accommodation
english requirements international => /study/international/english-language-requirements
map of the campus => /about/campus-maps
vacancies => /jobs
doctorate phd => /study/phd
lectures => /events/public-lectures
engineering mechanical => /study/undergraduate/courses/mechanical-engineering-meng
`,
  },
  {
    name: 'German city and its works',
    host: 'www.lindenau.example',
    pages: `
/
/rathaus/oeffnungszeiten | Öffnungszeiten des Rathauses
/rathaus/buergermeister | Der Bürgermeister
/rathaus/stadtrat/sitzungen
/rathaus/stellenangebote | Stellenangebote
/buergerservice/personalausweis-beantragen | Personalausweis beantragen
/buergerservice/reisepass | Reisepass
/buergerservice/wohnsitz-anmelden
/buergerservice/wohnsitz-abmelden
/buergerservice/fuehrungszeugnis
/buergerservice/heiraten/standesamt | Standesamt: Heiraten
/buergerservice/hundesteuer | Hundesteuer
/buergerservice/gewerbeanmeldung
/buergerservice/termin-vereinbaren | Termin vereinbaren
/verkehr/parkausweis-bewohner
/verkehr/baustellen
/verkehr/fahrrad/radwege
/verkehr/busfahrplan
/abfall/abfallkalender | Abfallkalender
/abfall/sperrmuell | Sperrmüll anmelden
/abfall/wertstoffhof
/bildung/kitas/anmeldung
/bildung/grundschulen
/bildung/volkshochschule
/bildung/stadtbibliothek
/kultur/museum
/kultur/veranstaltungen | Veranstaltungskalender
/freizeit/freibad-preise
/freizeit/wanderwege
/wirtschaft/bauplaetze
/bauen/baugenehmigung | Baugenehmigung
/bauen/bebauungsplaene
/umwelt/baumschutz
/impressum
/datenschutz
/kontakt
/aktuelles/2026/strassenfest-im-juni
`,
    queries: `
Öffnungszeiten Rathaus => /rathaus/oeffnungszeiten
oeffnungszeiten => /rathaus/oeffnungszeiten
Bürgermeister => /rathaus/buergermeister
neuen Personalausweis => /buergerservice/personalausweis-beantragen
Pass verlängern Reisepass => /buergerservice/reisepass
Wohnung anmelden Wohnsitz => /buergerservice/wohnsitz-anmelden
Sperrmüll => /abfall/sperrmuell
Müll Abfall Kalender => /abfall/abfallkalender
Abfallkalendar => /abfall/abfallkalender
Führungszeugnis beantragen => /buergerservice/fuehrungszeugnis
heiraten => /buergerservice/heiraten/standesamt
Steuer für Hunde => /buergerservice/hundesteuer
Gewerbe anmelden => /buergerservice/gewerbeanmeldung
Termine => /buergerservice/termin-vereinbaren
Bewohnerparkausweis => /verkehr/parkausweis-bewohner
Kita Anmeldung => /bildung/kitas/anmeldung
Bibliothek => /bildung/stadtbibliothek
Preise Freibad => /freizeit/freibad-preise
Baugenehmigungen => /bauen/baugenehmigung
Bebauungsplan => /bauen/bebauungsplaene
Stellen => /rathaus/stellenangebote
Veranstaltungen => /kultur/veranstaltungen
Bus Fahrplan => /verkehr/busfahrplan
Straßenfest => /aktuelles/2026/strassenfest-im-juni
Radweg => /verkehr/fahrrad/radwege
Sitzung des Stadtrats => /rathaus/stadtrat/sitzungen
`,
  },
  {
    name: 'French health insurer',
    host: 'www.mutuelle-aubrac.example',
    pages: `
/
/particuliers/complementaire-sante | Complémentaire santé
/particuliers/complementaire-sante/senior | Mutuelle senior
/particuliers/complementaire-sante/etudiant
/particuliers/assurance-habitation | Assurance habitation
/particuliers/assurance-auto | Assurance auto
/particuliers/prevoyance/arret-de-travail
/particuliers/prevoyance/deces
/entreprises/sante-collective
/entreprises/teletravail
/remboursements/optique | Remboursement optique
/remboursements/dentaire | Remboursement dentaire
/remboursements/delais
/remboursements/hospitalisation
/services/teleconsultation | Téléconsultation
/services/carte-tiers-payant | Carte de tiers payant
/services/attestation
/guide/resilier-sa-mutuelle | Comment résilier sa mutuelle ?
/guide/changer-de-mutuelle
/guide/100-pour-cent-sante | Le 100 % santé
/guide/maternite/conge-maternite
/guide/sommeil/mieux-dormir | Mieux dormir
/actualites/2026/hausse-des-cotisations
/devis | Devis gratuit
/agences | Trouver une agence
/agences/lyon
/agences/rodez
/contact | Nous contacter
/recrutement
/mentions-legales
/espace-adherent/connexion
/espace-adherent/mot-de-passe-oublie
`,
    queries: `
résilier ma mutuelle => /guide/resilier-sa-mutuelle
resiliation => /guide/resilier-sa-mutuelle
remboursement lunettes optique => /remboursements/optique
remboursement des soins dentaires => /remboursements/dentaire
délai de remboursement => /remboursements/delais
mutuelle pour étudiants => /particuliers/complementaire-sante/etudiant
mutuelle sénior => /particuliers/complementaire-sante/senior
assurance voiture auto => /particuliers/assurance-auto
assurance habitation => /particuliers/assurance-habitation
arrêt de travail => /particuliers/prevoyance/arret-de-travail
congé maternité => /guide/maternite/conge-maternite
tiers payant carte => /services/carte-tiers-payant
mot de passe oublié => /espace-adherent/mot-de-passe-oublie
se connecter connexion => /espace-adherent/connexion
agence à Lyon => /agences/lyon
hausse cotisation 2026 => /actualites/2026/hausse-des-cotisations
devis => /devis
emploi => /recrutement
dormir mieux => /guide/sommeil/mieux-dormir
teleconsultations medecin => /services/teleconsultation
changer mutuelle => /guide/changer-de-mutuelle
hopital hospitalisation => /remboursements/hospitalisation
télétravail => /entreprises/teletravail
`,
  },
  {
    name: 'Japanese railway',
    host: 'www.minato-rail.example',
    pages: `
/
/運賃 | 運賃案内
/時刻表 | 時刻表
/時刻表/東京
/時刻表/横浜
/定期券 | 定期券のご案内
/定期券/通学
/定期券/通勤
/駅情報/東京駅
/駅情報/横浜駅 | 横浜駅
/駅情報/新横浜駅 | 新横浜駅
/運行情報 | 運行情報
/運行情報/遅延証明書
/忘れ物 | お忘れ物のお問い合わせ
/観光/温泉
/観光/お得なきっぷ | お得なきっぷ
/会社情報/採用情報 | 採用情報
/会社情報/決算
/ニュース/2026/ダイヤ改正のお知らせ
/en/fares | Fares
/en/timetable | Timetable
/en/passes | Rail passes
/en/lost-and-found
/faq | よくあるご質問
`,
    queries: `
遅延証明書 => /運行情報/遅延証明書
通学定期 => /定期券/通学
定期券 => /定期券
新横浜駅 => /駅情報/新横浜駅
東京 時刻表 => /時刻表/東京
忘れ物 => /忘れ物
採用 => /会社情報/採用情報
ダイヤ改正 => /ニュース/2026/ダイヤ改正のお知らせ
温泉 観光 => /観光/温泉
運賃はいくら => /運賃
きっぷ => /観光/お得なきっぷ
fare => /en/fares
lost items => /en/lost-and-found
rail pass => /en/passes
time table => /en/timetable
よくある質問 => /faq
`,
  },
  {
    name: 'software company',
    host: 'www.cobaltdesk.example',
    pages: `
/
/product/ticketing | Ticketing
/product/live-chat | Live chat
/product/knowledge-base | Knowledge base
/product/reporting-analytics
/product/mobile-app
/integrations | Integrations
/integrations/slack
/integrations/salesforce
/integrations/jira | Jira integration
/pricing | Plans and pricing
/pricing/nonprofits
/customers/northwind-airlines | How Northwind Airlines halved its response time
/customers/greenleaf-bank
/solutions/retail
/solutions/healthcare
/security | Security and compliance
/security/gdpr
/security/subprocessors
/developers/api | API reference
/developers/api/rate-limits
/developers/webhooks | Webhooks
/developers/sdks/python
/developers/sdks/node
/developers/changelog
/help/articles/reset-two-factor | Reset two-factor authentication
/help/articles/import-tickets-csv | Import tickets from a CSV file
/help/articles/add-team-members | Add team members
/help/articles/cancel-subscription
/help/articles/change-billing-email
/help/articles/set-business-hours
/help/articles/merge-duplicate-tickets
/help/articles/custom-domain-ssl
/blog/2026/ai-agents-in-support | AI agents in support: what works
/blog/2025/csat-vs-nps
/company/about
/company/careers | Careers
/company/press
/contact-sales
/legal/terms-of-service
/legal/data-processing-agreement
/status
/signup
/login
/vs/deskflow | Cobaltdesk vs Deskflow
`,
    queries: `
how much does it cost => /pricing
prices => /pricing
discount for charities nonprofit => /pricing/nonprofits
api rate limit => /developers/api/rate-limits
API => /developers/api
web hooks => /developers/webhooks
python library sdk => /developers/sdks/python
nodejs => /developers/sdks/node
slack integration => /integrations/slack
integrate with jira => /integrations/jira
GDPR compliance => /security/gdpr, /security
import csv => /help/articles/import-tickets-csv
cancel my subscription => /help/articles/cancel-subscription
invite team member => /help/articles/add-team-members
lost 2fa two factor reset => /help/articles/reset-two-factor
duplicate tickets => /help/articles/merge-duplicate-tickets
opening hours business => /help/articles/set-business-hours
chat => /product/live-chat
analytics => /product/reporting-analytics
airline case study => /customers/northwind-airlines
bank customer => /customers/greenleaf-bank
work here careers => /company/careers
what changed changelog => /developers/changelog
talk to sales => /contact-sales
create account sign up => /signup
terms => /legal/terms-of-service
DPA data processing => /legal/data-processing-agreement
nps => /blog/2025/csat-vs-nps
compare deskflow => /vs/deskflow
salesfroce => /integrations/salesforce
ssl for custom domain => /help/articles/custom-domain-ssl
`,
  },
]

// Hosts that serve advertisements, track visitors or record sessions, including their subdomains. Excludes hosts that also
// serve something a page needs, such as fonts, videos, sign-in or comments.
const text = `
doubleclick.net googlesyndication.com googleadservices.com googletagservices.com adservice.google.com google-analytics.com
googletagmanager.com analytics.google.com app-measurement.com imasdk.googleapis.com pagead2.googlesyndication.com
connect.facebook.net ads-twitter.com static.ads-twitter.com analytics.twitter.com ads.linkedin.com snap.licdn.com
px.ads.linkedin.com analytics.tiktok.com ads.tiktok.com ct.pinterest.com sc-static.net tr.snapchat.com bat.bing.com
clarity.ms ads.yahoo.com analytics.yahoo.com amazon-adsystem.com assoc-amazon.com aaxads.com adnxs.com adsrvr.org
adform.net adroll.com advertising.com adtechus.com adsafeprotected.com adcolony.com adition.com adhese.com adgrx.com
adkernel.com admixer.net adnuntius.com adpushup.com adspirit.de adspirit.net adthrive.com adtelligent.com adyoulike.com
agkn.com amobee.com appnexus.com appsflyer.com bidswitch.net bidr.io bizrate.com bluekai.com bounceexchange.com
brightmountainmedia.com btloader.com buysellads.com buysellads.net carbonads.net carbonads.com casalemedia.com
connatix.com contextweb.com crazyegg.com creativecdn.com criteo.com criteo.net crwdcntrl.net demdex.net
districtm.io dotomi.com doubleverify.com emxdgt.com everesttech.net exelator.com exponential.com eyeota.net
fullstory.com freestar.io fwmrm.net gumgum.com gemius.pl hotjar.com hotjar.io heapanalytics.com hs-analytics.net hsadspixel.net id5-sync.com imrworldwide.com improvedigital.com indexww.com infolinks.com innovid.com
insightexpressai.com intentiq.com ipredictive.com jivox.com kameleoon.eu kissmetrics.com kochava.com krxd.net
ligatus.com lijit.com liadm.com lockerdome.com logrocket.io lr-ingest.com luckyorange.com
mathtag.com media.net mediavine.com mgid.com mixpanel.com ml314.com moatads.com mookie1.com mouseflow.com mxptint.net nativo.com nativery.com netmng.com nr-data.net omtrdc.net 2o7.net onaudience.com
onetag-sys.com openx.net outbrain.com outbrainimg.com parsely.com perfectaudience.com
permutive.com permutive.app pippio.com plista.com postrelease.com propellerads.com pubmatic.com pubmine.com
pubnation.com quantcount.com quantserve.com rayjump.com realsrv.com revcontent.com rfihub.com rlcdn.com
rubiconproject.com sascdn.com scorecardresearch.com segment.io segment.com sekindo.com semasio.net
serving-sys.com sharethrough.com shareaholic.com sitescout.com skimresources.com smaato.net smartadserver.com
smartclip.net smartlook.com sonobi.com sovrn.com spotxchange.com spotx.tv springserve.com stackadapt.com
statcounter.com stickyadstv.com taboola.com taboolasyndication.com tapad.com targeting.unrulymedia.com
teads.tv themoneytizer.com tidaltv.com tremorhub.com triplelift.com 3lift.com tribalfusion.com trustx.org turn.com
tynt.com undertone.com unrulymedia.com usabilla.com valueclick.com vdopia.com viglink.com vidoomy.com visualwebsiteoptimizer.com
w55c.net weborama.fr weborama.com widespace.com yandexadexchange.net mc.yandex.ru an.yandex.ru yieldlab.net yieldlove.com
yieldmo.com yieldoptimizer.com yldbt.com zedo.com zemanta.com zergnet.com zeotap.com zqtk.net
cdn.amplitude.com api.amplitude.com api2.amplitude.com cdn.mxpnl.com cdn.heapanalytics.com script.crazyegg.com
stats.wp.com pixel.wp.com matomo.cloud piwik.pro cdn.branch.io api2.branch.io etracker.com etracker.de ioam.de iocnt.net
ivwbox.de webtrekk.net wt-eu02.net mateti.net xiti.com at-o.net aticdn.net eulerian.net kameleoon.com abtasty.com
adsco.re popads.net popcash.net exoclick.com exosrv.com juicyads.com trafficjunky.net trafficfactory.biz tsyndicate.com
`

// The most common of them. The browser itself blocks these, so that no request reaches this process.
const frequent = `
doubleclick.net googlesyndication.com googleadservices.com googletagservices.com google-analytics.com googletagmanager.com
connect.facebook.net adnxs.com adsrvr.org amazon-adsystem.com criteo.com criteo.net pubmatic.com rubiconproject.com
openx.net casalemedia.com taboola.com outbrain.com scorecardresearch.com quantserve.com hotjar.com clarity.ms bat.bing.com
snap.licdn.com analytics.tiktok.com static.ads-twitter.com moatads.com adsafeprotected.com mc.yandex.ru segment.com
`

const hosts: ReadonlySet<string> = new Set(text.split(/\s+/).filter(Boolean))

/** Returns whether a host, or a domain above it, serves advertisements or tracks visitors. */
export function isAdHost(host: string): boolean {
  for (let name = host.toLowerCase(); name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (hosts.has(name)) return true
  }
  return false
}

/** The most common ad hosts, as URL patterns of the DevTools protocol. */
export const adPatterns: readonly string[] = frequent
  .split(/\s+/)
  .filter(Boolean)
  .flatMap((host) => [`*://${host}/*`, `*://*.${host}/*`])

/** URL patterns of fonts and media, which are not needed when no screenshot is taken. */
export const unseenPatterns: readonly string[] = [
  ...['woff2', 'woff', 'ttf', 'otf', 'eot', 'mp4', 'webm', 'm4v', 'mov', 'm3u8', 'mpd', 'm4s', 'mp3', 'm4a', 'ogg'],
].flatMap((ending) => [`*.${ending}`, `*.${ending}?*`])

// Generated from packages/site-apis/page by `node scripts/page-scripts.ts`. Do not edit.

export const readShown =
  '(function(){function readShown(maxText){const text=document.body?.innerText.slice(0,maxText)??``;return JSON.stringify({url:location.href,text,cookies:document.cookie.slice(0,2e4)})}return readShown})()'

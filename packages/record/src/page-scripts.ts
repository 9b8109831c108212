// Generated from packages/record/page by `node scripts/page-scripts.ts`. Do not edit.

export const steady =
  '(function(){function steady(shift){let seed=1779033703;for(const letter of location.href)seed=Math.imul(seed^letter.charCodeAt(0),3432918353);Math.random=()=>{seed=seed+1831565813|0;let mixed=Math.imul(seed^seed>>>15,1|seed);mixed=mixed+Math.imul(mixed^mixed>>>7,61|mixed)^mixed;return((mixed^mixed>>>14)>>>0)/4294967296};if(shift===void 0)return;const Own=Date;const now=()=>Own.now()+shift;globalThis.Date=new Proxy(Own,{construct:(to,given,made)=>Reflect.construct(to,given.length>0?given:[now()],made),apply:()=>new Own(now()).toString(),get:(of,name)=>name===`now`?now:Reflect.get(of,name)})}return steady})()'

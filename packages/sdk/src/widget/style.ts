/** The look, in the colours of the system unless the page sets `--bugle-accent`. Light and dark follow `color-scheme`. */
export const STYLE = `
:host{font:1rem/1.4 system-ui,sans-serif;color-scheme:light dark}
button,input,textarea,select{font:inherit;color:inherit;box-sizing:border-box;min-height:2.5rem;padding:.4rem .7rem;border:1px solid GrayText;border-radius:.4rem;background:Field}
button{cursor:pointer;background:ButtonFace;color:ButtonText}
button.main{background:var(--bugle-accent,light-dark(#0b57d0,#a8c7fa));color:var(--bugle-accent-text,light-dark(#fff,#062e6f));border-color:transparent}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}
dialog{box-sizing:border-box;width:min(30rem,calc(100vw - 2rem));border:1px solid GrayText;border-radius:.8rem;padding:1.2rem;background:Canvas;color:CanvasText}
dialog::backdrop{background:#0008}
h2{margin:0 0 .8rem;font-size:1.2rem}
label{display:block;margin-top:.8rem}
input,textarea,select{display:block;width:100%;margin-top:.2rem}
textarea{min-height:7rem;resize:vertical}
p{min-height:1.4em;margin:.8rem 0}
footer{display:flex;gap:.6rem;justify-content:flex-end}
`

import type { Story } from './story.ts'

/** What people write, in English: some with steps, some only to complain. */
export const REPORTS: readonly Story[] = [
  {
    category: 'bug',
    priority: 'medium',
    title: '{screen} stays blank {step}',
    description:
      '1. Open the app\n2. Go to {screen}\n3. Wait\n\nNothing is drawn until I turn the phone sideways and back.',
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Ticked items come back on the list “{list}”',
    description: 'I tick {food}, walk to the next aisle, and it is there again. We own a lot of {food} now.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Scaling {recipe} to 3 people gives 0.33333 eggs',
    description:
      'Please round to something a kitchen can do. A third of an egg is a decision nobody should have to make before breakfast.',
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Timer stops when a call comes in',
    description:
      'Set 12 minutes for pasta, took a call, came back to 9:41 left and the pasta was soup.\n\nExpected: it goes on counting, whatever the phone does.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Barcode of {food} is recognised as printer paper',
    description:
      'Scanned three different packets. The number under the bars is read correctly, the product is not.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'bug',
    priority: 'low',
    title: 'Typo on the {screen} screen: “ingedients”',
    description: null,
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Edits to {recipe} are lost {step}',
    description:
      'I rewrote all the steps, pressed Save, saw the tick, and the old text was back a minute later. History shows only the old version.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Meal plan puts Monday last when the week starts on Sunday',
    description: 'Region: United States. The plan says Sunday, Tuesday, Wednesday … Monday.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Importing {recipe} from a web page takes the comments too',
    description:
      'Step 9 is “Kevin says: I used {food} instead and it was awful”. Kevin may have a point, but he is not part of the recipe.',
  },
  {
    category: 'bug',
    priority: 'low',
    title: 'Grams and ounces are mixed in {recipe}',
    description: 'Settings say metric. The first four lines are metric, the fifth is not.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Notifications for “{list}” arrive a day late',
    description: 'My partner added {food} on Friday. I was told on Saturday, at home, holding the shopping.',
    platforms: ['ios', 'android', 'watchos'],
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Undo brings back the wrong item on {screen}',
    description:
      '1. Remove {food}\n2. Remove anything else\n3. Undo once\n\n{food} comes back, not the other one.',
  },
  {
    category: 'bug',
    priority: 'low',
    title: 'Export to PDF cuts the last line of every page',
    description: 'Seen with {recipe} and two others, A4, both orientations. Letter format is fine.',
    platforms: ['web', 'macos', 'windows', 'linux'],
  },
  {
    category: 'bug',
    priority: 'high',
    title: 'Signed out every morning',
    description:
      'Every single day around 6 o’clock. Password, code by mail, and then the {screen} screen has forgotten where I was.',
  },
  {
    category: 'bug',
    priority: 'medium',
    title: 'Search for “{food}” finds nothing unless spelled exactly',
    description: 'One capital letter too many and the result is empty. It used to forgive me.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'Text on {screen} overlaps {step}',
    description:
      'The second line of each row is drawn over the first. A screenshot would show two recipes having an argument.',
  },
  {
    category: 'ui_ux',
    priority: 'low',
    title: 'Dark mode: grey on slightly darker grey on {screen}',
    description: 'I can see that something is written there. That is all I can say about it.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'The screen goes to sleep in Cook mode',
    description: 'With dough on both hands there is no polite way to wake it.',
    platforms: ['ios', 'android', 'web'],
  },
  {
    category: 'ui_ux',
    priority: 'low',
    title: 'No way back from {screen} without losing the scroll position',
    description:
      'I scroll to recipe 140, open it, go back, and start again from 1. By now I know the first twenty very well.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'VoiceOver reads every button on {screen} as “button, button”',
    description:
      'I use the app without seeing it. Since the last update none of the icons has a name any more, so I have to try them one by one.',
    platforms: ['ios', 'macos'],
  },
  {
    category: 'ui_ux',
    priority: 'low',
    title: 'Delete is where Share used to be',
    description: 'You know what happened next.',
  },
  {
    category: 'ui_ux',
    priority: 'medium',
    title: 'Keyboard covers the quantity field on {screen}',
    description: 'It cannot be scrolled while the keyboard is open, so I type blind.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'performance',
    priority: 'medium',
    title: '{screen} takes eight seconds to open {step}',
    description:
      'Measured with a kitchen timer, which is at least accurate. About 600 recipes, most with photos.',
  },
  {
    category: 'performance',
    priority: 'high',
    title: 'Battery at 20 % after an hour of Cook mode',
    description: 'The phone gets too hot to hold. Brightness low, flight mode, nothing else open.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'performance',
    priority: 'low',
    title: 'Scrolling “{list}” stutters with more than 50 items',
    description: 'Smooth on the old phone, jerky on the new one.',
  },
  {
    category: 'performance',
    priority: 'medium',
    title: 'Photos of {recipe} are downloaded again at every start',
    description: '180 MB of mobile data in a week, for pictures of soup I made myself.',
  },
  {
    category: 'security',
    priority: 'critical',
    title: 'A shared link to “{list}” lets anyone edit the whole household',
    description:
      'Open the link in a private window and look at the requests: the token in them is not limited to the list. With it I could read and change everything else of the household.',
    platforms: ['web'],
  },
  {
    category: 'security',
    priority: 'high',
    title: 'Session stays valid after the password is changed',
    description: 'Changed it on the phone; the browser on the other computer went on working for two days.',
  },
  {
    category: 'security',
    priority: 'high',
    title: 'Invitation mail shows the addresses of all other members',
    description: 'Including those who have left. I do not think they know.',
  },
  {
    category: 'security',
    priority: 'medium',
    title: 'The {screen} screen is readable in the app switcher while the app is locked',
    description: 'Face ID is asked for, but the preview behind it is not blurred.',
    platforms: ['ios', 'android'],
  },
  {
    category: 'bug',
    priority: 'medium',
    title:
      'Since the update before last, adding {food} to the list “{list}” from the {screen} screen adds it to whichever list was opened last on the other phone, but only if that phone is offline',
    description:
      'This took us three weekends to understand, so here it is in full.\n\nWe are four people with five devices and one list per shop. On Saturday I plan from the kitchen tablet, the others shop. When I add {food}, it shows up on my screen at once and on the right list. Ten minutes later it is gone from there.\n\nIt turns up again on the list that somebody else had open last, as soon as that phone comes out of the underground and has a connection. If nobody is offline, everything is fine, which is why it never happens when we try it at home on the sofa.\n\nWhat we ruled out:\n- two people adding the same thing at the same time: no, I was alone\n- the clock of one device being wrong: all within a second\n- the tablet being old: it happens from the new phone too\n\nHappy to send logs, or cake, or both.',
  },
  {
    category: 'bug',
    priority: 'low',
    title: 'it just doesnt work',
    description: null,
  },
]

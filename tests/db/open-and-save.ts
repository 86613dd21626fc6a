import { openDb } from "#db/client.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { aDocument } from "../unit/verdict/raw.ts";

// Run as a process of its own: opens the database while others do, writes one verdict, and says how it went.
const [file = "", name = ""] = process.argv.slice(2);
const { db, close } = openDb(file);
const fresh = saveVerdict(db, aDocument("++++++++", "====", { made_by: name }), 1);
const again = saveVerdict(db, aDocument("++++++++", "====", { made_by: "shared by all" }), 1);
close();
process.stdout.write(JSON.stringify({ fresh, again }));

export default function VerdictNotFound() {
  return (
    <div className="mx-auto max-w-[72ch] py-12">
      <h1 className="mb-2 font-semibold text-lg">No verdict has this id</h1>
      <p className="mb-4">
        Verdicts are stored in the data folder of the machine that judged them. An exported one can be opened
        here when its file stands in a results folder.
      </p>
      <p>
        <a href="/scorecards#verdicts" className="link">
          All verdicts
        </a>
      </p>
    </div>
  );
}
